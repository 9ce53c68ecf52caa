// SPDX-License-Identifier: BSD-2-Clause
// The states of a picture's submissions: every way that one may take, and no other.
#include "picture/submission.hpp"

#include <gtest/gtest.h>

#include "picture/picture.hpp"

using namespace v3doff;

namespace {

using State = Submission::State;

constexpr State all_states[] = {Submission::preparing, Submission::queued,  Submission::gpu_done,
                                Submission::lost,      Submission::for_cpu, Submission::on_cpu,
                                Submission::told};

class SubmissionTest : public testing::Test {
  protected:
    // Along these states.
    Submission &add(Submission::Rows rows, std::initializer_list<State> way) {
        Submission &added = submissions.add(picture);
        added.rows = rows;
        for (State state : way)
            submissions.move(added, state);
        return added;
    }
    // How many states can be reached in one step, after those of the way.
    unsigned steps_from(std::initializer_list<State> way) {
        unsigned count = 0;
        for (State to : all_states) {
            Submission &submission = add(Submission::Rows::all, way);
            try {
                submissions.move(submission, to);
                count++;
            } catch (const Error &) {
            }
        }
        return count;
    }

    Picture picture;
    Submissions submissions;
};

} // namespace

TEST_F(SubmissionTest, EveryWayEndsWithTheCallerTold) {
    for (auto way :
         {std::initializer_list<State>{Submission::queued, Submission::gpu_done},
          {Submission::for_cpu, Submission::on_cpu},
          {Submission::queued, Submission::for_cpu, Submission::on_cpu},
          {Submission::queued, Submission::lost, Submission::for_cpu, Submission::on_cpu}}) {
        submissions.clear();
        Submission &last = add(Submission::Rows::all, way);
        EXPECT_FALSE(submissions.complete());
        submissions.move(last, Submission::told);
        EXPECT_TRUE(submissions.complete());
    }
}

TEST_F(SubmissionTest, NoOtherStepIsTaken) {
    EXPECT_EQ(steps_from({}), 2u);
    EXPECT_EQ(steps_from({Submission::queued}), 3u);
    EXPECT_EQ(steps_from({Submission::queued, Submission::gpu_done}), 1u);
    EXPECT_EQ(steps_from({Submission::queued, Submission::lost}), 1u);
    EXPECT_EQ(steps_from({Submission::for_cpu}), 1u);
    EXPECT_EQ(steps_from({Submission::for_cpu, Submission::on_cpu}), 1u);
    EXPECT_EQ(steps_from({Submission::for_cpu, Submission::on_cpu, Submission::told}), 0u);
}

TEST_F(SubmissionTest, SomeRowsDoNotCompleteThePicture) {
    add(Submission::Rows::some, {Submission::queued, Submission::gpu_done, Submission::told});
    EXPECT_FALSE(submissions.complete());
    Submission &rest = add(Submission::Rows::rest, {Submission::queued});
    EXPECT_EQ(submissions.first(Submission::queued), &rest);
    EXPECT_EQ(submissions.first(Submission::for_cpu | Submission::lost), nullptr);
    EXPECT_EQ(submissions.all().size(), 2u);
    submissions.clear();
    EXPECT_FALSE(submissions.any(~0u));
}

TEST_F(SubmissionTest, OfTwoFieldsTheSecondCompletesThePicture) {
    Submission &first = add(Submission::Rows::all, {Submission::queued});
    EXPECT_TRUE(first.ends());
    first.another_follows = true; // the picture was opened again
    Submission &second = add(Submission::Rows::all, {Submission::queued});
    EXPECT_FALSE(submissions.is_next(second));
    submissions.move(first, Submission::gpu_done);
    EXPECT_FALSE(submissions.is_next(second)); // the caller is being told
    submissions.move(first, Submission::told);
    EXPECT_TRUE(submissions.is_next(second));
    EXPECT_FALSE(submissions.complete());
    EXPECT_FALSE(first.ends());
}
