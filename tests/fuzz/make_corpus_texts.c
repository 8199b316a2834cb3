/* Writes the corpora of fuzz_commands, fuzz_arguments, fuzz_keys, fuzz_playlist, fuzz_settings,
 * fuzz_provenance and fuzz_suite: make_corpus_texts FOLDER, where a folder of each of these names exists.
 * Together the commands name every command, and the arguments every option, that the targets run. */
#include "corpus_file.h"

typedef struct seed {
    const char *name, *text;
} seed;

/* JSON is written with ' instead of ". */
static void save_all(const char *folder, const char *corpus, const seed *seeds, size_t count, bool is_json)
{
    for (size_t i = 0; i < count; i++) {
        mmd_buffer out = {0};
        for (const char *c = seeds[i].text; *c; c++)
            mmd_write_u8(&out, is_json && *c == '\'' ? '"' : (uint8_t)*c);
        corpus_save(folder, corpus, seeds[i].name, &out);
    }
}

#define SAVE(folder, corpus, seeds, is_json)                                                                 \
    save_all(folder, corpus, seeds, sizeof(seeds) / sizeof *(seeds), is_json)

/* The model has the bones and morphs of sample_everything, and the motion those of sample_motion. */
static const seed commands[] = {
    {"bones",
     "bone.rotate センター 10 20 30\nbone.translate 左足 1 2 3\nbone.scale センター 1 2 3\nundo\nredo\n"
     "bone.place \"#1\" 1 2 3 0 0 0 1\nbody.place 0 1 2 3 0 0 0 1 1 1 1\njoint.place 0 1 2 3 0 0 0 1\n"
     "camera.follow センター\nview.weights 左足\n"},
    {"morphs", "morph.set あ 0.5\nmorph.set まばたき 1\nmorph.free あ\nmorph.reset\n"},
    {"model",
     "model.select 0\nmodel.place 1 2 3 10 20 30 2\nmodel.attach 1 センター\nmodel.attach 1 "
     "\"\"\nmodel.opacity 0.5\n"
     "model.visible off\nmodel.order -3\nmodel.additive on\nmodel.shadow off\nmodel.parent センター none\n"
     "model.parent センター 1 左足\nmodel.delay 10\nmodel.mirror on\nmaterial.show 0 off\nmaterial.solo 1\n"
     "material.all on\n"},
    {"camera", "camera.set -45 0 10 0 0.1 0.2 0 30\ncamera.orbit 10 5\ncamera.pan 1 2\ncamera.zoom 0.5\n"
               "camera.reset\ncamera.fit\ncamera.perspective off\ncamera.motion on\ncamera.follow on\n"
               "camera.view front\nlight.color 1 0.5 0\nlight.direction 0 -1 1\nlight.reset\n"},
    {"play",
     "play\npause\nplay.toggle\nplay.speed 2\nplay.faster 1\nplay.a 5\nplay.b 20\nplay.ab off\nplay.ab next\n"
     "play.loop on\nplay.count-in 2\nplay.bpm 120 3\nplay.mirror on\nframe.set 10.5\nframe.step -1\n"
     "frame.beat 1\nframe.cut 1\n"},
    {"fades", "motion.weight 0 0.5\nmotion.fade 2\nframe.set 7.5\nmotion.fade-out 0 5 0 30\nmodel.delay 4\n"
              "body.start 0 1 2 3 0 0 0 1 4 5 6 0.1 0.2 0.3\nframe.set 3\nphysics on\nframe.set 12\n"},
    {"physics",
     "physics on\nphysics.gravity 0 -50 0\nphysics.ground off\nframe.set 3\nphysics.reset\nphysics off\n"},
    {"view",
     "view.edge off\nview.grid on\nview.self-shadow on\nview.ground-shadow off\nview.shading smooth\n"
     "view.bodies on\nview.joints on\nview.contacts on\nview.bones on\nview.wireframe on\nview.clay on\n"
     "view.ids bone\nview.normals on\nview.weights off\nview.inspect 1 2\nview.inspected on\n"
     "view.background 102030\nview.background transparent\ntoggle view.edge\n"},
    {"panels",
     "panels on\npanels.toggle\npanels.timeline off\npanels.sheet on\npanels.page edit\n"
     "panels.language ja\npanels.scale 1.5\npanels.passes on\nkeys on\ninput.preset left\nwindow.full on\n"
     "window.vsync off\nwindow.size 640 480\nescape\nplaylist.next\nplaylist.previous\nplaylist.go 1\n"
     "recent\nreload\nquit\n"},
    {"audio", "audio.close\naudio.offset 1.5\naudio.shift -0.1\naudio.volume 0.5\naudio.mute on\n"},
    {"edit",
     "edit.select /models/見本/bones/センター\nedit.add /models/見本/bones/全部\nedit.translate 1 2 3\n"
     "edit.rotate 10 20 30\nedit.scale 1 2 3\nedit.matrix 1 0 0 0 0 1 0 0 0 0 1 0 1 2 3 1\nedit.reset\n"
     "edit.mirror on\nedit.join on\nedit.remove /models/見本/bones/全部\nedit.clear\nedit.all\n"
     "gizmo.mode rotate\ngizmo.space next\ngizmo.pivot common\ngizmo.snap 0.5 15\n"},
    {"select",
     "edit.select /models/見本/bodies/剛体\nedit.translate 1 0 0\nedit.select /models/見本/joints/関節\n"
     "edit.rotate 0 10 0\nedit.select /camera\nedit.translate 0 0 1\nedit.select /light\nedit.reset\n"
     "edit.select /models/見本\nedit.scale 2 2 2\nkey.set /camera\n"},
    {"keys",
     "key.mode on\nedit.select /models/見本/bones/センター\nkey.set\nkey.move 0 5\nkey.copy 5 9\n"
     "key.curve 9 rotation 20 20 107 107\nkey.delete 9\nkey.remove\nkey.morph あ 0.5\nkey.morph.remove あ\n"
     "key.show off\nkey.ik 左足ＩＫ off\nkey.shadow 1 5000\n"},
    {"put",
     "key.put.bone センター 10 1 2 3 0 0 0 1 14146b6b14146b6b14146b6b14146b6b on\nkey.put.morph あ 10 0.5\n"
     "key.put.camera 5 -45 0 10 0 0 0 0 30 14146b6b14146b6b14146b6b14146b6b14146b6b14146b6b on\n"
     "key.put.light 5 1 1 1 0 -1 0\nkey.put.shadow 5 1 0.01\n"
     "key.put.switches 5 1 "
     "8db691ab8268826a00000000000000000000000001\nkey.more.switches 5 "
     "8d9c00000000000000000000000000000000000000\nkey.drop.bone センター 10\nkey.drop.morph あ 10\n"
     "key.drop.camera 5\nkey.drop.light 5\nkey.drop.shadow 5\nkey.drop.switches 5\n"},
    /* numbers out of range, and names of nothing */
    {"far-model",
     "bone.scale センター 0 1 1\nmodel.place 1e7 0 0 0 0 0 1\nmodel.attach 1 no\nmodel.attach 0 センター\n"
     "model.opacity 2\nmodel.order 1.5\nmodel.delay 1e7\nmodel.select 9\nmodel.parent 全部 x y\n"
     "model.parent センター 1 no\nmorph.set no 1\nmorph.free no\nbody.place 99 0 0 0 0 0 0 1 1 1 1\n"
     "body.place 0 1e7 0 0 0 0 0 1 1 1 1\nbody.place 0 0 0 0 2 0 0 1 1 1 1\nbody.place 0 0 0 0 0 0 0 1 0 1 "
     "1\n"
     "joint.place 0.5 0 0 0 0 0 0 1\nbone.place no 0 0 0 0 0 0 1\nbone.place \"#99\" 0 0 0 0 0 0 1\n"
     "bone.rotate no 1 1 1\n"},
    {"far-view",
     "camera.set 0 0 0 0 0 0 0 999\ncamera.zoom 0\ncamera.follow off\ncamera.view up\nlight.direction 0 0 0\n"
     "model.visible off\nmodel.select 1\nmodel.visible off\ncamera.fit\nview.bones on\nview.ids none\n"
     "view.clay on\nview.clay off\nview.ids x\nview.shading x\nview.background x\nview.weights no\n"
     "gizmo.snap 0\ngizmo.snap x\ngizmo.mode x\ngizmo.space x\ngizmo.pivot x\nphysics.gravity 1e9 0 0\n"},
    {"far-play",
     "frame.set -1\nframe.set 1e20\nplay.a -1\nplay.b 9\nplay.a 10\nplay.b 5\nplay.ab x\nplay.speed 99\n"
     "play.count-in -1\nplay.bpm 1e9\nframe.beat 1\nframe.cut -1\nframe.set 30\nframe.cut -1\nplay\n"
     "frame.cut -1\nplay.toggle\n"},
    {"far-keys",
     "edit.select /no\nedit.select /\nedit.select /models/見本/bones/センター\nedit.translate 1e9 0 0\n"
     "edit.matrix 1e9 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\nedit.matrix 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1\nedit.tell\n"
     "gizmo.tell\nkey.mode on\nkey.set\nkey.curve 0 rotation 999 0 0 0\nkey.curve 0 no 0 0 0 0\n"
     "morph.set あ 0.5\nkey.shadow 3\nkey.shadow 1 99999\nkey.put.morph no 0 1\nkey.put.shadow 0 9 0\n"
     "key.put.bone センター 0 0 0 0 9 9 9 9 14146b6b14146b6b14146b6b14146b6b on\n"
     "key.put.bone センター 0 0 0 0 0 0 0 1 zz on\nkey.put.bone センター -1 0 0 0 0 0 0 1 "
     "14146b6b14146b6b14146b6b14146b6b on\nkey.put.switches 0 256\nkey.put.switches 0 1 zz\n"
     "key.more.switches 99 zz\nkey.put.switches 0 1\nkey.more.switches 0 zz\nkey.drop.bone no 0\n"
     "key.delete -1\nkey.ik no on\nplugin.list\n"},
    /* - begins a session without models, and ! the commands of a picture */
    {"nothing",
     "-model.place 0 0 0 0 0 0 1\nmodel.opacity 1\nmodel.visible on\nmodel.order 1\nmodel.delay 1\n"
     "model.parent \"\" none\nmodel.attach 0 x\nmorph.set a 1\nmorph.free a\nmorph.reset\nbone.rotate a 1 1 "
     "1\n"
     "body.place 0 0 0 0 0 0 0 1 1 1 1\ncamera.follow on\ncamera.fit\nedit.all\nmaterial.all on\n"
     "key.mode on\nkey.set\nkey.morph a\nkey.put.switches 0 1\nkey.drop.switches 0\nframe.cut 1\nplay\n"
     "physics on\nundo\n"},
    {"picture", "!morph.set あ 1\nquit\nhelp\npanels on\nwindow.size 1 1\nreload\nfile.open a\n"
                "frame.set 4294967295\nphysics on\nmodel.select 1\n"},
    {"words",
     "# comment\n  \"morph.set\"  \"a \\\" \\\\ b\" 1e-3\nmorph.set あ NaN\nmorph.set あ -0x1p3\n\"open\n"},
};

static const seed arguments[] = {
    {"quality", "--bits 16 --supersample 2 --motion-blur 4 --shutter 180"},
    {"scene", "miku.pmx --place 1,2,3,10,20,30,2 --own-motion a.vmd rin.pmx --hang 1:骨 --delay 10 "
              "--motion dance.vmd --pose p.vpd --camera c.vmd --stage stage.x --stage-motion s.vmd"},
    {"crowd", "dancer --actors 9 --actors-delay 2.5"},
    {"sound", "a.pmx --audio song.ogg --audio-offset -0.5"},
    {"view",
     "a.pmx --background ff8000 --grid on --edge off --ground-shadow on --self-shadow on --shading smooth "
     "--msaa 4 --light-color 1,0.5,0 --light-dir 0,-1,1 --pixel-centers gl --sdef slerp "
     "--show bodies,joints,contacts"},
    {"physics", "a.pmx --gravity 0,-9.8,0 --physics-ground off --physics-world own --physics-rate 120 "
                "--physics-cache 16 --physics off --physics-lever stock"},
    {"common", "a.pmx --exec - --plugin p.so --seed 1 --threads 2 --log debug"},
    {"own", "a.pmx --frames 0:30:0.5,45,1e3 --size 64x48 -o out.png --report --report=r.html --model 1"},
    {"wrong", "a.pmx -x --grid=on=off --frames 5:1 --size 0x1 --msaa 3 --no-such --edge"},
    {"help", "--help"},
    {"words", "\"a \\\"b\\\".pmx\" --motion=a.vmd -- --not-an-option"},
};

static const seed keys[] = {
    {"keys.conf",
     "# comment\nSpace play\nCtrl+Shift+Z redo\nF5 toggle view.edge\nP none\n\nalt+num5 camera.reset\n"},
    {"long.conf",
     "A 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
     "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
     "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
     "\n"},
    {"wrong.conf",
     "Nokey play\nShift+A\nsuper+Plus frame.step 1\r\n  ] play.faster 1\nCtrl++ camera.zoom 2\n"},
};

static const seed playlists[] = {
    {"dances.txt",
     "\xef\xbb\xbf# comment\nmiku.pmx --motion \"first dance.vmd\" --camera camera.vmd --audio song.ogg\n"
     "rin.pmx len.pmx --motion twins.vmd --pose p.vpd --stage s.x --stage-motion s.vmd\n\n/c/d.pmm\n"},
    {"value.txt", "a.pmx --motion\n"},
    {"option.txt", "a.pmx --place 1,2,3\n"},
    {"quote.txt", "b.pmx \"open\n"},
    {"model.txt", "--motion a.vmd\n"},
    {"words.txt",
     "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t u v w x y "
     "z "
     "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t u v w\n"},
};

static const seed settings[] = {
    {"settings.conf",
     "input.preset left\nplay.count-in 2\npanels.language ja\npanels.scale 1.5\npanels.sheet on\n"
     "audio.volume 0.5\nwindow.size 800 600\nquit\n"},
    {"model", "model.place 1 2 3 10 20 30 2\nmodel.opacity 0.5\nmodel.visible off\nmodel.shadow off\n"
              "material.show 0 off\nmorph.set あ 0.5\nphysics off\nframe.set 10\n"
              "camera.set -45 0 10 0 0.1 0.2 0 30\ncamera.perspective off\n"},
    {"recent", "/a/miku.pmx\n/b/dance.vmd\nrelative.pmx\n/c/\n"},
    {"sound", "audio.offset 1.5\n"},
    {"japanese",
     "panels.language ja\ninput.preset mmd\npanels.sheet off\npanels.scale 1e9\naudio.offset 1e9\n"},
};

static const seed texts[] = {
    {"everything.json",
     "{'format':1,'odori':'0.1.0','models':[{'path':'folder/"
     "model.pmx','hash':'30653f8d5951f1f14655dc0c68d5a8f3',"
     "'textures':[{'name':'t.png','hash':'0'}]},{'path':'dancer','hash':'0','textures':[]}],"
     "'motions':[{'path':'a.vmd','hash':'1'},{'path':'b.vmd','hash':'2','model':1}],"
     "'camera':{'path':'dancer','hash':'0'},'stage':{'path':'s.x','hash':'3'},"
     "'exec':'model.select 0\\nmodel.place 1 2 3 0 0 0 1\\n','frame':10.5,'start':3,'size':[32,16],"
     "'gl':{'vendor':'v','renderer':'r','version':'4.5'},'physics':{'gravity':[0,-9,0],'ground':'on',"
     "'world':'own','lever':'stock','rate':120},'state':{'camera':{'distance':-45,'fov':30,'perspective':"
     "true,"
     "'position':[0,10,0],'rotation':[0,0,0]},'light':{'color':[0.6,0.6,0.6],'direction':[-0.5,-1,0.5]}},"
     "'view':{'background':'ffffff','edge':'on','grid':'off','ground_shadow':'off','msaa':'4',"
     "'pixel_centers':'d3d9','sdef':'linear','self_shadow':'on','shading':'mmd','show':'bodies,joints'}}"},
    {"small.json", "{'format':1,'models':[{'path':'/x/folder/model.pmx','hash':'0'}],'motions':[],'frame':0,"
                   "'size':[1,1],'view':{},'physics':'off'}"},
    {"on.json", "{'format':1,'models':[{'path':'../model.pmx','hash':'0'}],'motions':[],'frame':30,"
                "'size':[64,48],'view':{'edge':'off','supersample':'2','bits':'16'},'physics':{'rate':60}}"},
};

static const seed suites[] = {
    {"small.json", "{'scenes':[{'name':'miku','model':'a/miku.pmx','frames':0}]}"},
    {"many.json",
     "{'$schema':'s','comment':'c','baselines':'b','strict':true,'defaults':{'size':[64,48],"
     "'view':{'msaa':4},'physics':false,'tolerance':{'max':2}},'scenes':[{'name':'{model}-{motion}',"
     "'models':'**/*.pmx','motions':['*.vmd'],'poses':['pose.vpd'],'frames':['0:30:10',45.5]},"
     "{'name':'{model_folder} {pose}','models':['[ab]/*.pm?'],'pose':['pose.vpd'],'frames':'0,5:9'}]}"},
    {"cameras.json",
     "{'scenes':[{'name':'{camera}-{camera_folder}','model':'a/miku.pmx','motions':['*.vmd'],'exec':'camera.orbit 1 2',"
     "'cameras':['dance.vmd',{'name':'a','target':[0,10,0],'angle':[-20,30,0],'distance':45,'fov':40,"
     "'orthographic':true}]}]}"},
    {"view.json",
     "{'scenes':[{'name':'v','model':['a/miku.pmx','a/rin.pmx'],'motion':'dance.vmd',"
     "'own_motion':{'0':'dance.vmd','1':['dance.vmd']},'camera':'dance.vmd','stage':'b/luka.pmd',"
     "'stage_motion':['dance.vmd'],"
     "'size':'32x16','view':{'background':'ff8000','background_picture':'on','grid':true,'edge':'off',"
     "'ground_shadow':false,'self_shadow':'on','shading':'smooth','msaa':'2','light_color':[1,1,1],"
     "'light_dir':'0,-1,0','pixel_centers':'gl','sdef':'slerp','show':'bodies,joints'}}]}"},
    {"limits.json",
     "{'scenes':[{'name':'t','model':'dancer','exec':['morph.set a 1','play.mirror on'],"
     "'physics':{'gravity':[0,-9,0],'ground':true,'world':'own','rate':120,'lever':'stock'},"
     "'tolerance':{'max':2,'mean':0.5,'p99':3,'share':0.1,'threshold':4,'psnr':40,'ssim':0.9,"
     "'flip':0.1},'mask':[{'rect':[0,0,10,10]},{'picture':'m.png','keep':true},{'edges':2}]}]}"},
    {"large.json", "{'scenes':[{'name':'l','model':'a/miku.pmx','size':[1000000000000,-1],"
                   "'mask':[{'rect':[0,0,1e30,5000000000]}]}]}"},
    {"long.json",
     "{'scenes':[{'name':'0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
     "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
     "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef','model':'a/miku.pmx'}]}"},
    {"nul.json", "{'scenes':[{'name':'a\\u0000','model':'a/miku.pmx'}]}"},
    {"open.json", "{'scenes':[{'name':'a\\"},
    {"deep.json",
     "{'scenes':[{'name':'a','model':'a/miku.pmx','view':{'size':{'a':{'a':{'a':[[[[1]]]]}}}}}]}"},
    {"wrong.json", "{'scenes':[{'name':'w','model':'missing*.pmx'},{'name':'x','motion':'dance.vmd'}]}"},
};

int main(int count, char **given)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", given[0]);
        return 2;
    }
    SAVE(given[1], "commands", commands, false);
    SAVE(given[1], "arguments", arguments, false);
    SAVE(given[1], "keys", keys, false);
    SAVE(given[1], "playlist", playlists, false);
    SAVE(given[1], "settings", settings, false);
    SAVE(given[1], "provenance", texts, true);
    SAVE(given[1], "suite", suites, true);
    return 0;
}
