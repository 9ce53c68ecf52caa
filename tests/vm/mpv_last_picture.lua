-- SPDX-License-Identifier: BSD-2-Clause
-- Once the last picture stands still on the virtual screen, copies the screen and ends mpv.
local function look()
    os.execute("cp /tmp/screen/Xvfb_screen0 /tmp/picture.new")
    if os.execute("cmp -s /tmp/picture /tmp/picture.new") == true then
        mp.command("quit")
    end
    os.rename("/tmp/picture.new", "/tmp/picture")
end

mp.observe_property("eof-reached", "bool", function(_, reached)
    if reached then mp.add_periodic_timer(5, look) end
end)
