/* OpenAL devices (audio_output.h). The context of the open one is current for the whole program. */
#define AL_ALEXT_PROTOTYPES
#include "audio_output.h"

#include <dlfcn.h>
#include <string.h>

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

#include "mmd/memory.h"

struct audio_output {
    ALCdevice *device;
    ALCcontext *context;
    bool can_pause, paused;
};

/* Tests for OpenAL's "no output" device. */
static bool is_nothing(ALCdevice *device)
{
    const char *name =
        alcGetString(device, alcIsExtensionPresent(NULL, "ALC_ENUMERATE_ALL_EXT") ? ALC_ALL_DEVICES_SPECIFIER
                                                                                  : ALC_DEVICE_SPECIFIER);
    return name && strcmp(name, "No Output") == 0;
}

/* Creates a context. Closes the device if that fails. */
static audio_output *open_context(ALCdevice *device, const ALCint *attributes)
{
    audio_output *output = mmd_alloc(sizeof *output);
    if (!device || !output)
        goto close_device;
    *output = (audio_output){.device = device, .context = alcCreateContext(device, attributes)};
    if (!output->context || !alcMakeContextCurrent(output->context))
        goto destroy_context;
    if (!alIsExtensionPresent("AL_EXT_FLOAT32"))
        goto leave_context;
    output->can_pause = alcIsExtensionPresent(device, "ALC_SOFT_pause_device");
    return output;
leave_context:
    alcMakeContextCurrent(NULL);
destroy_context:
    if (output->context)
        alcDestroyContext(output->context);
close_device:
    if (device)
        alcCloseDevice(device);
    mmd_free(output);
    return NULL;
}

static void say_nothing(const char *file, int line, const char *function, int code, const char *format, ...)
{
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

/* Silences ALSA, which prints eight lines to stderr if there is no sound card. OpenAL loads it dynamically,
 * so it is looked up in the same way. */
static void quieten_alsa(void)
{
    int (*set_handler)(void (*)(const char *, int, const char *, int, const char *, ...));
    void *alsa = dlopen("libasound.so.2", RTLD_LAZY);
    void *symbol = alsa ? dlsym(alsa, "snd_lib_error_set_handler") : NULL;
    if (!symbol)
        return;
    /* POSIX allows this conversion, but C has no cast for it */
    memcpy(&set_handler, &symbol, sizeof set_handler);
    set_handler(say_nothing);
}

audio_output *audio_output_open(void)
{
    quieten_alsa();
    ALCdevice *device = alcOpenDevice(NULL);
    if (device && is_nothing(device)) {
        alcCloseDevice(device);
        device = NULL;
    }
    return open_context(device, NULL);
}

audio_output *audio_output_open_loopback(uint32_t rate)
{
    const ALCint attributes[] = {
        ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT, ALC_FORMAT_CHANNELS_SOFT,
        ALC_STEREO_SOFT,      ALC_FREQUENCY,  (ALCint)rate,
        ALC_HRTF_SOFT,        ALC_FALSE,      0,
    };
    if (!alcIsExtensionPresent(NULL, "ALC_SOFT_loopback"))
        return NULL;
    audio_output *output = open_context(alcLoopbackOpenDeviceSOFT(NULL), attributes);
    if (output)
        output->can_pause = false; /* the caller that renders decides when it runs */
    return output;
}

void audio_output_render(audio_output *output, float *out, size_t count)
{
    alcRenderSamplesSOFT(output->device, out, (ALCsizei)count);
}

void audio_output_close(audio_output *output)
{
    if (!output)
        return;
    alcMakeContextCurrent(NULL);
    alcDestroyContext(output->context);
    alcCloseDevice(output->device);
    mmd_free(output);
}

bool audio_output_is_there(const audio_output *output)
{
    ALCint connected = ALC_TRUE;
    if (alcIsExtensionPresent(output->device, "ALC_EXT_disconnect"))
        alcGetIntegerv(output->device, ALC_CONNECTED, 1, &connected);
    return connected != ALC_FALSE;
}

void audio_output_pause(audio_output *output, bool paused)
{
    if (output->can_pause && paused != output->paused)
        (paused ? alcDevicePauseSOFT : alcDeviceResumeSOFT)(output->device);
    output->paused = paused;
}
