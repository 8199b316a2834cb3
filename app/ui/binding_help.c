/* Groups and Japanese texts of the key list (F1). Both are found by the command that a key runs, so that keys
 * which the user bound to the same command have them too. */
#include "binding_help.h"

#include <string.h>

/* Group of each command by the first word or the prefix of its name, without `toggle`. A command that is not
 * listed belongs to BINDINGS_WINDOW. */
static const struct {
    const char *start;
    binding_group group;
} groups[] = {
    {"play.", BINDINGS_TIME},     {"frame.", BINDINGS_TIME},   {"playlist.", BINDINGS_TIME},
    {"audio.", BINDINGS_TIME},    {"play", BINDINGS_TIME},     {"pause", BINDINGS_TIME},
    {"camera.", BINDINGS_CAMERA}, {"light.", BINDINGS_CAMERA}, {"view.", BINDINGS_VIEW},
    {"material.", BINDINGS_VIEW}, {"undo", BINDINGS_EDIT},     {"redo", BINDINGS_EDIT},
    {"bone.", BINDINGS_EDIT},     {"morph.", BINDINGS_EDIT},   {"model.", BINDINGS_EDIT},
    {"physics", BINDINGS_EDIT},   {"gizmo.", BINDINGS_EDIT},   {"pose.", BINDINGS_EDIT},
    {"edit.", BINDINGS_EDIT},     {"key.", BINDINGS_EDIT},     {"picture.", BINDINGS_EDIT},
    {"paste", BINDINGS_EDIT},
};

static const struct {
    const char *command, *japanese;
} translations[] = {
    /* one for each command of all sets */
    {"play.toggle", "再生・一時停止"},
    {"frame.step -1", "1フレーム戻る"},
    {"frame.step 1", "1フレーム進む"},
    {"frame.step -10", "10フレーム戻る"},
    {"frame.step 10", "10フレーム進む"},
    {"frame.beat -1", "1拍戻る"},
    {"frame.beat 1", "1拍進む"},
    {"frame.key -1", "前のキーフレームへ"},
    {"frame.key 1", "次のキーフレームへ"},
    {"frame.set 0", "先頭フレームへ"},
    {"frame.end", "最終フレームへ"},
    {"frame.cut -1", "前のカメラ切替へ"},
    {"frame.cut 1", "次のカメラ切替へ"},
    {"playlist.page -1", "前のカメラ切替・曲へ"},
    {"playlist.page 1", "次のカメラ切替・曲へ"},
    {"play.faster -1", "再生速度を下げる"},
    {"play.faster 1", "再生速度を上げる"},
    {"play.speed 1", "再生速度を1倍に戻す"},
    {"play.ab next", "区間リピート：始点・終点・解除"},
    {"toggle play.loop", "ループ再生の切替"},
    {"toggle play.mirror", "左右反転の切替"},
    {"playlist.next", "次の曲へ"},
    {"playlist.previous", "前の曲へ"},
    {"toggle audio.mute", "音声のオン・オフ"},
    {"audio.shift -0.01", "音声を10ms早める"},
    {"audio.shift 0.01", "音声を10ms遅らせる"},
    {"camera.motion on", "モーションのカメラ"},
    {"camera.reset", "カメラの初期化"},
    {"camera.fit", "全モデルを画面に収める"},
    {"toggle camera.follow", "モデル追従の切替"},
    {"toggle camera.perspective", "パースペクティブの切替"},
    {"camera.view front", "視点：正面"},
    {"camera.view back", "視点：背面"},
    {"camera.view left", "視点：左"},
    {"camera.view right", "視点：右"},
    {"camera.view top", "視点：上面"},
    {"camera.view bottom", "視点：下面"},
    {"toggle view.bodies", "剛体表示の切替"},
    {"toggle view.joints", "ジョイント表示の切替"},
    {"toggle view.contacts", "接触点表示の切替"},
    {"toggle view.wireframe", "ワイヤーフレームの切替"},
    {"toggle view.normals", "法線表示の切替"},
    {"toggle view.clay", "クレイ表示（材質なし）の切替"},
    {"toggle view.bones", "ボーン表示の切替"},
    {"toggle view.grid", "座標軸表示の切替"},
    {"toggle view.edge", "エッジ表示の切替"},
    {"toggle view.self-shadow", "セルフ影表示の切替"},
    {"pose.copy", "ポーズをコピー"},
    {"picture.copy", "画像をコピー"},
    {"file.choose", "ファイルを選んで開く"},
    {"paste", "ポーズを貼り付け・ファイルを開く"},
    {"gizmo.mode translate", "移動ハンドル"},
    {"gizmo.mode rotate", "回転ハンドル"},
    {"gizmo.mode scale", "拡大ハンドル"},
    {"gizmo.mode none", "ハンドルを隠す"},
    {"gizmo.space next", "ハンドルの座標系を切替"},
    {"toggle gizmo.snap", "スナップの切替"},
    {"toggle edit.mirror", "左右対称編集の切替"},
    {"edit.select /camera", "カメラを選択"},
    {"edit.select /light", "照明を選択"},
    {"edit.up", "一つ上を選択"},
    {"edit.controller", "動かしているボーンを選択（IKなど）"},
    {"edit.all", "全ボーンを選択"},
    {"edit.clear", "選択を解除"},
    {"edit.translate 0 0 0", "移動を取り消す"},
    {"edit.rotate 0 0 0", "回転を取り消す"},
    {"edit.scale 1 1 1", "拡大を取り消す"},
    {"key.set", "フレーム登録"},
    {"key.remove", "現在のフレームのキーフレームを削除"},
    {"camera.orbit 0 -15", "視点を15度下へ回転"},
    {"camera.orbit 0 15", "視点を15度上へ回転"},
    {"camera.orbit 15 0", "視点を15度左へ回転"},
    {"camera.orbit -15 0", "視点を15度右へ回転"},
    {"camera.zoom 0.9", "視点の拡大"},
    {"camera.zoom 1.111", "視点の縮小"},
    {"undo", "元に戻す"},
    {"redo", "やり直し"},
    {"panels.toggle", "パネル表示の切替"},
    {"toggle panels.sheet", "キーフレーム編集の切替"},
    {"toggle keys", "この一覧"},
    {"reload", "ファイルを再読込"},
    {"toggle window.full", "全画面表示の切替"},
    {"screenshot", "画面を画像に保存"},
    {"escape", "閉じる・中止・選択解除"},
    {"file.save", "編集を保存"},
    {"file.save-as", "名前を付けて保存"},
    {"quit.ask", "終了"},
    {"quit", "すぐに終了（未保存の編集は残す）"},
};

binding_group binding_group_of(const char *command)
{
    if (strncmp(command, "toggle ", 7) == 0)
        command += 7;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        size_t length = strlen(groups[i].start);
        if (strncmp(command, groups[i].start, length) != 0)
            continue;
        char next = command[length]; /* "play" must not match "player", but "play." matches every "play.x" */
        if (groups[i].start[length - 1] == '.' || next == '\0' || next == ' ' || next == '.')
            return groups[i].group;
    }
    return BINDINGS_WINDOW;
}

const char *binding_japanese(const char *command)
{
    for (size_t i = 0; i < sizeof translations / sizeof *translations; i++)
        if (strcmp(translations[i].command, command) == 0)
            return translations[i].japanese;
    return NULL;
}

const char *binding_help_at(size_t i)
{
    return i < sizeof translations / sizeof *translations ? translations[i].japanese : NULL;
}
