// SPDX-License-Identifier: BSD-2-Clause
#include "egl_reader.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <libdrm/drm_fourcc.h>
#include <stdlib.h>
#include <string.h>

#include <GLES2/gl2ext.h> // needs gl3.h

#include "frame_hash.h"

static EGLDisplay display;
static GLuint plane_program, picture_program;
static PFNEGLCREATEIMAGEKHRPROC create_image;
static PFNEGLDESTROYIMAGEKHRPROC destroy_image;
static PFNGLEGLIMAGETARGETTEXTURE2DOESPROC texture_from_image;

// One triangle that covers everything; a texel for each pixel.
static const char vertices[] = "#version 300 es\n"
                               "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, "
                               "gl_VertexID == 2 ? 3 : -1, 0, 1); }";
static const char plane_texels[] =
    "#version 300 es\n"
    "uniform mediump sampler2D image; out mediump vec4 colour;\n"
    "void main() { colour = texelFetch(image, ivec2(gl_FragCoord.xy), 0); }";
static const char picture_texels[] =
    "#version 300 es\n"
    "#extension GL_OES_EGL_image_external_essl3 : require\n"
    "uniform mediump samplerExternalOES image; uniform highp vec2 size; out mediump vec4 colour;\n"
    "void main() { colour = texture(image, gl_FragCoord.xy / size); }";

static GLuint make_program(const char *fragments) {
    const GLuint program = glCreateProgram();
    const char *const text[2] = {vertices, fragments};
    for (int i = 0; i < 2; i++) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &text[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked ? program : 0;
}

bool egl_reader_start(void) {
    static const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    display = get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
                          : EGL_NO_DISPLAY;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API)) return false;
    if (!strstr(eglQueryString(display, EGL_EXTENSIONS), "EGL_EXT_image_dma_buf_import"))
        return false;
    const EGLContext context =
        eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return false;
    create_image = (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
    destroy_image = (PFNEGLDESTROYIMAGEKHRPROC)eglGetProcAddress("eglDestroyImageKHR");
    texture_from_image =
        (PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)eglGetProcAddress("glEGLImageTargetTexture2DOES");
    plane_program = make_program(plane_texels);
    picture_program = make_program(picture_texels);
    return plane_program && picture_program;
}

void egl_reader_end(void) {
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display);
    eglReleaseThread();
}

static EGLImageKHR import(int fd, const DrmPicture *picture, uint32_t format, int width, int height,
                          int first, int planes) {
    static const EGLint names[3][3] = {
        {EGL_DMA_BUF_PLANE0_FD_EXT, EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGL_DMA_BUF_PLANE0_PITCH_EXT},
        {EGL_DMA_BUF_PLANE1_FD_EXT, EGL_DMA_BUF_PLANE1_OFFSET_EXT, EGL_DMA_BUF_PLANE1_PITCH_EXT},
        {EGL_DMA_BUF_PLANE2_FD_EXT, EGL_DMA_BUF_PLANE2_OFFSET_EXT, EGL_DMA_BUF_PLANE2_PITCH_EXT}};
    EGLint list[64] = {EGL_WIDTH,
                       width,
                       EGL_HEIGHT,
                       height,
                       EGL_LINUX_DRM_FOURCC_EXT,
                       (EGLint)format,
                       EGL_YUV_COLOR_SPACE_HINT_EXT,
                       EGL_ITU_REC601_EXT,
                       EGL_SAMPLE_RANGE_HINT_EXT,
                       EGL_YUV_NARROW_RANGE_EXT};
    EGLint *to = list + 10;
    for (int p = 0; p < planes; p++) {
        const EGLint values[3] = {fd, (EGLint)picture->offset[first + p],
                                  (EGLint)picture->pitch[first + p]};
        for (int i = 0; i < 3; i++) {
            *to++ = names[p][i];
            *to++ = values[i];
        }
    }
    *to = EGL_NONE;
    return create_image(display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, list);
}

// The image's pixels, 4 bytes each.
static bool draw(EGLImageKHR image, bool external, int width, int height, uint8_t *pixels) {
    const GLenum target = external ? GL_TEXTURE_EXTERNAL_OES : GL_TEXTURE_2D;
    const GLuint program = external ? picture_program : plane_program;
    GLuint texture[2], frame;
    if (image == EGL_NO_IMAGE_KHR) return false;
    glGenTextures(2, texture);
    glBindTexture(GL_TEXTURE_2D, texture[1]);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture[1], 0);
    glBindTexture(target, texture[0]);
    texture_from_image(target, image);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glUseProgram(program);
    if (external) glUniform2f(glGetUniformLocation(program, "size"), (float)width, (float)height);
    glViewport(0, 0, width, height);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glDeleteFramebuffers(1, &frame);
    glDeleteTextures(2, texture);
    destroy_image(display, image);
    return glGetError() == GL_NO_ERROR;
}

static bool read_planes(int fd, const DrmPicture *picture, AVFrame *frame) {
    bool read = true;
    for (int p = 0; p < 3; p++) {
        const int width = AV_CEIL_RSHIFT(picture->width, p > 0);
        const int height = AV_CEIL_RSHIFT(picture->height, p > 0);
        const size_t count = (size_t)width * (size_t)height;
        frame->data[p] = malloc(4 * count);
        frame->linesize[p] = width;
        read = read && draw(import(fd, picture, DRM_FORMAT_R8, width, height, p, 1), false, width,
                            height, frame->data[p]);
        for (size_t i = 0; i < count; i++)
            frame->data[p][i] = frame->data[p][4 * i];
    }
    return read;
}

static void free_planes(AVFrame *frame) {
    for (int p = 0; p < 3; p++)
        free(frame->data[p]);
}

bool egl_reader_hash(int fd, const DrmPicture *picture, uint64_t *hash) {
    AVFrame frame = {
        .format = AV_PIX_FMT_YUV420P, .width = picture->width, .height = picture->height};
    const bool read = read_planes(fd, picture, &frame);
    *hash = hash_frame(&frame);
    free_planes(&frame);
    return read;
}

// ITU-R BT.601, 8 bits: the component of a pixel.
static int component(const AVFrame *frame, int x, int y, int which) {
    static const double of_u[3] = {0, -0.391762, 2.017232}, of_v[3] = {1.596027, -0.812968, 0};
    const double luma = 1.164384 * (frame->data[0][y * frame->linesize[0] + x] - 16);
    const double u = frame->data[1][y / 2 * frame->linesize[1] + x / 2] - 128.;
    const double v = frame->data[2][y / 2 * frame->linesize[2] + x / 2] - 128.;
    return av_clip_uint8((int)(luma + of_u[which] * u + of_v[which] * v + 0.5));
}

bool egl_reader_difference(int fd, const DrmPicture *picture, int *difference) {
    AVFrame frame = {
        .format = AV_PIX_FMT_YUV420P, .width = picture->width, .height = picture->height};
    uint8_t *pixels = malloc(4 * (size_t)picture->width * (size_t)picture->height);
    const bool read =
        read_planes(fd, picture, &frame) &&
        draw(import(fd, picture, DRM_FORMAT_YUV420, picture->width, picture->height, 0, 3), true,
             picture->width, picture->height, pixels);
    *difference = 0;
    for (int y = 0; read && y < picture->height; y++)
        for (int x = 0; x < picture->width; x++)
            for (int i = 0; i < 3; i++)
                *difference = FFMAX(*difference, abs(pixels[(y * picture->width + x) * 4 + i] -
                                                     component(&frame, x, y, i)));
    free(pixels);
    free_planes(&frame);
    return read;
}
