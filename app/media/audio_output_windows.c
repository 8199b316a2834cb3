/*
 * The sound device and its voices with WASAPI (audio_output.h). A voice is a stream of its own in shared
 * mode: Windows mixes it with those of other programs and converts its rate. The queue is the stream's
 * buffer.
 */
#define COBJMACROS
#define INITGUID
#include "audio_output.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <windows.h>
#include <mmdeviceapi.h>
#include <audioclient.h>

#include "mmd/memory.h"

enum { CHANNELS = 2 };

#define SECOND        10000000.0 /* in WASAPI's unit of time, 100 ns */
#define LONGEST_GUESS 0.05       /* seconds for which a position is extrapolated at most */

struct audio_output {
    IMMDeviceEnumerator *devices;
    IMMDevice *device;
    bool is_com_ours; /* COM has to be left again */
    bool is_lost;     /* a call has failed, as all do once the device is gone */
};

struct audio_voice {
    audio_output *output;
    IAudioClient *client;
    IAudioRenderClient *stream;
    IAudioClock *clock;
    IAudioStreamVolume *loudness;
    UINT64 ticks; /* of the clock per second */
    double rate;
    size_t frames;          /* per block */
    uint64_t queued, taken; /* blocks since the stream began at 0: all, and those removed since */
    bool plays;
    float gain; /* of samples, when the volume is above 1, which is the most that a stream has */
};

/* --- The device --- */

/* Notes that a call has failed. */
static bool works(audio_output *output, HRESULT result)
{
    output->is_lost |= FAILED(result);
    return SUCCEEDED(result);
}

audio_output *audio_output_open(void)
{
    audio_output *output = mmd_alloc(sizeof *output);
    if (!output)
        return NULL;
    *output = (audio_output){.is_com_ours = SUCCEEDED(CoInitializeEx(NULL, COINIT_MULTITHREADED))};
    if (SUCCEEDED(CoCreateInstance(&CLSID_MMDeviceEnumerator, NULL, CLSCTX_ALL, &IID_IMMDeviceEnumerator,
                                   (void **)&output->devices)) &&
        SUCCEEDED(IMMDeviceEnumerator_GetDefaultAudioEndpoint(output->devices, eRender, eMultimedia,
                                                              &output->device)))
        return output;
    audio_output_close(output);
    return NULL;
}

audio_output *audio_output_open_loopback(uint32_t rate)
{
    (void)rate;
    return NULL;
}

void audio_output_render(audio_output *output, float *out, size_t count)
{
    (void)output;
    memset(out, 0, count * CHANNELS * sizeof *out);
}

void audio_output_close(audio_output *output)
{
    if (!output)
        return;
    if (output->device)
        IMMDevice_Release(output->device);
    if (output->devices)
        IMMDeviceEnumerator_Release(output->devices);
    if (output->is_com_ours)
        CoUninitialize();
    mmd_free(output);
}

bool audio_output_is_there(const audio_output *output)
{
    DWORD state = 0;
    return !output->is_lost && SUCCEEDED(IMMDevice_GetState(output->device, &state)) &&
           state == DEVICE_STATE_ACTIVE;
}

void audio_output_pause(audio_output *output, bool paused)
{
    (void)output, (void)paused; /* a voice that is stopped uses no time */
}

/* --- Voices --- */

/* Opens the stream of a voice, with room for the whole queue. */
static bool open_stream(audio_voice *v)
{
    const uint32_t rate = (uint32_t)v->rate, frame = CHANNELS * sizeof(float);
    const WAVEFORMATEX format = {.wFormatTag = WAVE_FORMAT_IEEE_FLOAT,
                                 .nChannels = CHANNELS,
                                 .nSamplesPerSec = rate,
                                 .nAvgBytesPerSec = rate * frame,
                                 .nBlockAlign = (WORD)frame,
                                 .wBitsPerSample = 8 * sizeof(float)};
    const REFERENCE_TIME length =
        (REFERENCE_TIME)ceil((AUDIO_VOICE_BLOCKS + 1) * SECOND * (double)v->frames / v->rate);
    UINT32 room = 0;
    return SUCCEEDED(IMMDevice_Activate(v->output->device, &IID_IAudioClient, CLSCTX_ALL, NULL,
                                        (void **)&v->client)) &&
           SUCCEEDED(IAudioClient_Initialize(v->client, AUDCLNT_SHAREMODE_SHARED,
                                             AUDCLNT_STREAMFLAGS_AUTOCONVERTPCM |
                                                 AUDCLNT_STREAMFLAGS_SRC_DEFAULT_QUALITY,
                                             length, 0, &format, NULL)) &&
           SUCCEEDED(IAudioClient_GetBufferSize(v->client, &room)) &&
           room >= AUDIO_VOICE_BLOCKS * v->frames &&
           SUCCEEDED(IAudioClient_GetService(v->client, &IID_IAudioRenderClient, (void **)&v->stream)) &&
           SUCCEEDED(IAudioClient_GetService(v->client, &IID_IAudioClock, (void **)&v->clock)) &&
           SUCCEEDED(IAudioClient_GetService(v->client, &IID_IAudioStreamVolume, (void **)&v->loudness)) &&
           SUCCEEDED(IAudioClock_GetFrequency(v->clock, &v->ticks)) && v->ticks > 0;
}

audio_voice *audio_voice_create(audio_output *output, uint32_t rate, size_t frames)
{
    audio_voice *v = mmd_alloc(sizeof *v);
    if (!v)
        return NULL;
    *v = (audio_voice){.output = output, .rate = rate, .frames = frames, .gain = 1};
    if (open_stream(v))
        return v;
    audio_voice_destroy(v);
    return NULL;
}

void audio_voice_destroy(audio_voice *v)
{
    if (!v)
        return;
    if (v->client)
        IAudioClient_Stop(v->client);
    if (v->loudness)
        IAudioStreamVolume_Release(v->loudness);
    if (v->clock)
        IAudioClock_Release(v->clock);
    if (v->stream)
        IAudioRenderClient_Release(v->stream);
    if (v->client)
        IAudioClient_Release(v->client);
    mmd_free(v);
}

void audio_voice_set_volume(audio_voice *v, float volume)
{
    const float sides[CHANNELS] = {fminf(volume, 1), fminf(volume, 1)};
    v->gain = fmaxf(volume, 1);
    works(v->output, IAudioStreamVolume_SetAllVolumes(v->loudness, CHANNELS, sides));
}

void audio_voice_queue(audio_voice *v, const float *samples)
{
    BYTE *bytes;
    assert(v->queued - v->taken < AUDIO_VOICE_BLOCKS);
    v->queued++;
    if (!works(v->output, IAudioRenderClient_GetBuffer(v->stream, (UINT32)v->frames, &bytes)))
        return;
    float *out = (float *)(void *)bytes;
    for (size_t i = 0; i < CHANNELS * v->frames; i++)
        out[i] = v->gain * samples[i];
    works(v->output, IAudioRenderClient_ReleaseBuffer(v->stream, (UINT32)v->frames, 0));
}

void audio_voice_start(audio_voice *v)
{
    if (!v->plays)
        v->plays = works(v->output, IAudioClient_Start(v->client));
}

void audio_voice_stop(audio_voice *v)
{
    if (v->plays)
        works(v->output, IAudioClient_Stop(v->client));
    if (v->queued)
        works(v->output, IAudioClient_Reset(v->client));
    v->queued = v->taken = 0;
    v->plays = false;
}

/* A stream that ran empty begins at 0 again, so that its position does not depend on what Windows plays
 * meanwhile. */
size_t audio_voice_take_played(audio_voice *v, bool *ran_empty)
{
    UINT32 left = 0;
    size_t waiting = (size_t)(v->queued - v->taken);
    *ran_empty = false;
    if (!works(v->output, IAudioClient_GetCurrentPadding(v->client, &left)))
        return 0;
    *ran_empty = v->plays && left == 0 && waiting > 0;
    if (*ran_empty) {
        audio_voice_stop(v);
        return waiting;
    }
    uint64_t played = v->queued - (left + v->frames - 1) / v->frames;
    size_t taken = (size_t)(played - v->taken);
    v->taken = played;
    return taken;
}

double audio_voice_heard(audio_voice *v)
{
    UINT64 position = 0, measured = 0;
    LARGE_INTEGER now, second;
    if (!works(v->output, IAudioClock_GetPosition(v->clock, &position, &measured)))
        return 0;
    const double block = (double)v->frames / v->rate;
    double heard = (double)position / (double)v->ticks;
    if (v->plays && position > 0 && QueryPerformanceCounter(&now) && QueryPerformanceFrequency(&second)) {
        double since =
            (double)now.QuadPart / (double)second.QuadPart - (double)measured / SECOND; /* seconds */
        heard += fmin(fmax(since, 0), LONGEST_GUESS);
    }
    return fmin(heard, (double)v->queued * block) - (double)v->taken * block;
}
