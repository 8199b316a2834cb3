/* Voices on OpenAL sources (audio_output.h). They belong to the context that is current. */
#define AL_ALEXT_PROTOTYPES
#include "audio_output.h"

#include <assert.h>

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

#include "mmd/memory.h"

struct audio_voice {
    ALuint source, buffers[AUDIO_VOICE_BLOCKS];
    size_t first, queued; /* the oldest block that is queued, and their number */
    size_t frames;        /* per block */
    ALsizei rate;
    bool has_latency;
};

static bool make_source(audio_voice *v)
{
    alGetError();
    alGenSources(1, &v->source);
    if (alGetError() != AL_NO_ERROR)
        return false;
    alGenBuffers(AUDIO_VOICE_BLOCKS, v->buffers);
    if (alGetError() != AL_NO_ERROR) {
        alDeleteSources(1, &v->source);
        return false;
    }
    if (alIsExtensionPresent("AL_SOFT_direct_channels"))
        alSourcei(v->source, AL_DIRECT_CHANNELS_SOFT, AL_TRUE);
    v->has_latency = alIsExtensionPresent("AL_SOFT_source_latency");
    return true;
}

audio_voice *audio_voice_create(audio_output *output, uint32_t rate, size_t frames)
{
    (void)output; /* its context is current */
    audio_voice *v = mmd_alloc(sizeof *v);
    if (!v)
        return NULL;
    *v = (audio_voice){.rate = (ALsizei)rate, .frames = frames};
    if (make_source(v))
        return v;
    mmd_free(v);
    return NULL;
}

void audio_voice_destroy(audio_voice *v)
{
    if (!v)
        return;
    audio_voice_stop(v);
    alDeleteSources(1, &v->source);
    alDeleteBuffers(AUDIO_VOICE_BLOCKS, v->buffers);
    mmd_free(v);
}

void audio_voice_set_volume(audio_voice *v, float volume)
{
    alSourcef(v->source, AL_GAIN, volume);
}

void audio_voice_queue(audio_voice *v, const float *samples)
{
    assert(v->queued < AUDIO_VOICE_BLOCKS);
    ALuint buffer = v->buffers[(v->first + v->queued) % AUDIO_VOICE_BLOCKS];
    alBufferData(buffer, AL_FORMAT_STEREO_FLOAT32, samples, (ALsizei)(v->frames * 2 * sizeof *samples),
                 v->rate);
    alSourceQueueBuffers(v->source, 1, &buffer);
    v->queued++;
}

void audio_voice_start(audio_voice *v)
{
    ALint state = AL_INITIAL;
    alGetSourcei(v->source, AL_SOURCE_STATE, &state);
    if (state != AL_PLAYING)
        alSourcePlay(v->source);
}

void audio_voice_stop(audio_voice *v)
{
    alSourceStop(v->source);
    alSourcei(v->source, AL_BUFFER, 0);
    v->first = v->queued = 0;
}

/* A source that ran empty reports all blocks as played, including those that came too late. */
size_t audio_voice_take_played(audio_voice *v, bool *ran_empty)
{
    ALint state = AL_INITIAL, played = 0;
    size_t taken = 0;
    alGetSourcei(v->source, AL_SOURCE_STATE, &state);
    *ran_empty = state == AL_STOPPED && v->queued > 0;
    alGetSourcei(v->source, AL_BUFFERS_PROCESSED, &played);
    for (; played > 0 && v->queued > 0; played--, taken++) {
        ALuint buffer;
        alSourceUnqueueBuffers(v->source, 1, &buffer);
        v->first = (v->first + 1) % AUDIO_VOICE_BLOCKS;
        v->queued--;
    }
    return taken;
}

double audio_voice_heard(audio_voice *v)
{
    ALdouble both[2] = {0, 0}; /* offset and latency */
    ALfloat offset = 0;
    if (v->has_latency) {
        alGetSourcedvSOFT(v->source, AL_SEC_OFFSET_LATENCY_SOFT, both);
        return both[0] - both[1];
    }
    alGetSourcef(v->source, AL_SEC_OFFSET, &offset);
    return (double)offset;
}
