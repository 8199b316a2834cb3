/*
 * Every text of the panels, in both languages: TEXT(name, English, Japanese). Japanese texts use the words of
 * MMD's own menus. Formats (%u, %s) take the same arguments in both languages.
 */
#define UI_TEXTS(TEXT)                                                                                                                             \
    TEXT(MODELS, "Models", "モデル")                                                                                                               \
    TEXT(MORPHS, "Morphs", "表情")                                                                                                                 \
    TEXT(BONES, "Bones", "ボーン")                                                                                                                 \
    TEXT(MATERIALS, "Materials", "材質")                                                                                                           \
    TEXT(PHYSICS, "Physics", "物理演算")                                                                                                           \
    TEXT(VIEW, "View", "表示")                                                                                                                     \
    TEXT(STATISTICS, "Statistics", "情報")                                                                                                         \
    TEXT(LOG, "Messages", "メッセージ")                                                                                                            \
    TEXT(PLAY, "Play", "再生")                                                                                                                     \
    TEXT(PAUSE, "Pause", "一時停止")                                                                                                               \
    TEXT(FIRST, "First frame", "先頭フレームへ")                                                                                                   \
    TEXT(STEP_BACK, "Previous frame", "1フレーム戻る")                                                                                             \
    TEXT(STEP_ON, "Next frame", "1フレーム進む")                                                                                                   \
    TEXT(PANELS, "Panels", "パネル")                                                                                                               \
    TEXT(SIMULATING, "simulating frame", "物理演算中：フレーム")                                                                                   \
    TEXT(CUT, "camera cut", "カメラ切替")                                                                                                          \
    TEXT(FILTER, "Filter", "絞り込み")                                                                                                             \
    TEXT(NONE, "No model is loaded.", "モデルが読み込まれていません。")                                                                            \
    TEXT(NOTHING_FOUND, "No match.", "見つかりません。")                                                                                           \
    TEXT(NAME, "Name", "名前")                                                                                                                     \
    TEXT(DRAW_ORDER, "Draw order", "描画順")                                                                                                       \
    TEXT(REMOVE_MODEL, "Remove model", "モデル削除")                                                                                               \
    TEXT(REPLACE_MODEL, "Replace", "モデル差し替え")                                                                                               \
    TEXT(REPLACE_HINT, "Choose the file that takes its place", "差し替えるファイルを選んでください")                                               \
    TEXT(OPACITY, "Opacity", "不透明度")                                                                                                           \
    TEXT(SHADOWS, "Shadows", "影")                                                                                                                 \
    TEXT(ADDITIVE, "Additive blending", "加算合成")                                                                                                \
    TEXT(VERTICES, "Vertices", "頂点")                                                                                                             \
    TEXT(TRIANGLES, "Triangles", "面")                                                                                                             \
    TEXT(BROWS, "Eyebrows", "まゆ")                                                                                                                \
    TEXT(EYES, "Eyes", "目")                                                                                                                       \
    TEXT(MOUTH, "Mouth", "リップ")                                                                                                                 \
    TEXT(OTHERS, "Other", "その他")                                                                                                                \
    TEXT(RESET_MORPHS, "Reset all to the motion", "全てモーションの値に戻す")                                                                      \
    TEXT(RESET_MORPH, "Reset to the motion", "モーションの値に戻す")                                                                               \
    TEXT(RESET, "Reset", "初期化")                                                                                                                 \
    TEXT(PLACEMENT, "Placement", "配置")                                                                                                           \
    TEXT(POSITION, "Position", "位置")                                                                                                             \
    TEXT(ROTATION, "Rotation", "回転")                                                                                                             \
    TEXT(SCALE, "Scale", "拡大率")                                                                                                                 \
    TEXT(PARENT, "Parent", "親")                                                                                                                   \
    TEXT(LAYER, "Deform layer", "変形階層")                                                                                                        \
    TEXT(SHOW_ALL, "Show all", "全て表示")                                                                                                         \
    TEXT(HIDE_ALL, "Hide all", "全て非表示")                                                                                                       \
    TEXT(SOLO, "Solo", "単独")                                                                                                                     \
    TEXT(SIMULATE, "Simulate physics", "物理演算を行う")                                                                                           \
    TEXT(GRAVITY, "Gravity", "重力")                                                                                                               \
    TEXT(GROUND, "Collide with the floor", "床と衝突する")                                                                                         \
    TEXT(RESTART, "Restart physics", "物理演算の初期化")                                                                                           \
    TEXT(DEBUG_LINES, "Debug drawing", "デバッグ表示")                                                                                             \
    TEXT(BODIES, "Rigid bodies", "剛体")                                                                                                           \
    TEXT(JOINTS, "Joints", "ジョイント")                                                                                                           \
    TEXT(CONTACTS, "Contacts", "接触点")                                                                                                           \
    TEXT(LIGHT, "Light", "照明")                                                                                                                   \
    TEXT(COLOR, "Colour", "色")                                                                                                                    \
    TEXT(DIRECTION, "Direction", "方向")                                                                                                           \
    TEXT(RENDERING, "Rendering", "描画")                                                                                                           \
    TEXT(EDGES, "Outlines", "エッジ")                                                                                                              \
    TEXT(GRID, "Grid and axes", "座標軸")                                                                                                          \
    TEXT(SELF_SHADOW, "Self-shadow", "セルフ影")                                                                                                   \
    TEXT(GROUND_SHADOW, "Ground shadow", "地面影")                                                                                                 \
    TEXT(SMOOTH, "Per-pixel lighting", "ピクセル単位の照明")                                                                                       \
    TEXT(BACKGROUND, "Background", "背景色")                                                                                                       \
    TEXT(TRANSPARENT, "Transparent in pictures", "画像の背景を透明にする")                                                                         \
    TEXT(MOTIONS, "Motions", "モーション")                                                                                                         \
    TEXT(FILES_BESIDE, "Files in the same folder", "同じフォルダのファイル")                                                                       \
    TEXT(FILES_RECENT, "Recent files", "最近使ったファイル")                                                                                       \
    TEXT(ESC_STOPS, "Esc cancels", "Escで中止")                                                                                                    \
    TEXT(PANEL_SETTINGS, "Panels", "パネル")                                                                                                       \
    TEXT(LANGUAGE, "Language", "言語")                                                                                                             \
    TEXT(AUTOMATIC, "Automatic", "自動")                                                                                                           \
    TEXT(FPS, "FPS", "FPS")                                                                                                                        \
    TEXT(DRAWING, "Drawing", "描画")                                                                                                               \
    TEXT(PHYSICS_STEPS, "Physics", "物理演算")                                                                                                     \
    TEXT(POSES, "Poses for physics", "物理演算用のポーズ計算")                                                                                     \
    TEXT(UPLOAD, "Upload to the GPU", "GPUへの転送")                                                                                               \
    TEXT(DRAW_CALLS, "Draw calls", "ドローコール")                                                                                                 \
    TEXT(MEMORY, "Memory", "メモリ")                                                                                                               \
    TEXT(PASSES, "Measure render passes (slower)", "描画パスを計測（低速）")                                                                       \
    TEXT(PASS_SKIN, "Skinning", "スキニング")                                                                                                      \
    TEXT(PASS_SHADOW_MAP, "Shadow map", "シャドウマップ")                                                                                          \
    TEXT(PASS_OBJECT, "Models", "モデル")                                                                                                          \
    TEXT(PASS_EDGE, "Outlines", "エッジ")                                                                                                          \
    TEXT(PASS_GROUND_SHADOW, "Ground shadow", "地面影")                                                                                            \
    TEXT(MESSAGES_ALL, "All", "全て")                                                                                                              \
    TEXT(MESSAGES_ERRORS, "Errors", "エラー")                                                                                                      \
    TEXT(MESSAGES_EDITS, "Edits", "編集操作")                                                                                                      \
    TEXT(CLOSE_MESSAGE, "Close (Esc)", "閉じる（Esc）")                                                                                            \
    TEXT(CLOSE_NEWS, "Close", "閉じる")                                                                                                            \
    TEXT(MORE_MESSAGES, "%u more: see Messages", "ほか%u件（「メッセージ」を参照）")                                                               \
    TEXT(NO_MESSAGES, "No messages.", "メッセージはありません。")                                                                                  \
    TEXT(KEYS, "Keyboard and mouse", "キーボードとマウス")                                                                                         \
    TEXT(WITH_KEY, "%s (%s)", "%s（%s）")                                                                                                          \
    TEXT(KEYS_TIME, "Playback", "再生")                                                                                                            \
    TEXT(KEYS_CAMERA, "Camera", "カメラ")                                                                                                          \
    TEXT(KEYS_VIEW, "View", "表示")                                                                                                                \
    TEXT(KEYS_EDIT, "Editing", "編集")                                                                                                             \
    TEXT(KEYS_WINDOW, "Window", "ウィンドウ")                                                                                                      \
    TEXT(MOUSE, "Mouse", "マウス")                                                                                                                 \
    TEXT(MOUSE_LEFT, "Left drag", "左ドラッグ")                                                                                                    \
    TEXT(MOUSE_RIGHT, "Right drag", "右ドラッグ")                                                                                                  \
    TEXT(MOUSE_MIDDLE, "Middle drag", "中ドラッグ")                                                                                                \
    TEXT(MOUSE_WHEEL, "Wheel", "ホイール")                                                                                                         \
    TEXT(MOUSE_CLICK, "Left click", "左クリック")                                                                                                  \
    TEXT(MOUSE_UP, "Alt+Left click", "Alt+左クリック")                                                                                             \
    TEXT(MOUSE_EXACT, "Ctrl+Left click", "Ctrl+左クリック")                                                                                        \
    TEXT(MOUSE_INSPECT, "Ctrl+Alt+Left click", "Ctrl+Alt+左クリック")                                                                              \
    TEXT(ORBITS, "Orbit the camera", "視点の回転")                                                                                                 \
    TEXT(PANS, "Pan the camera", "視点の移動")                                                                                                     \
    TEXT(ZOOMS, "Zoom in and out", "視点の拡大・縮小")                                                                                             \
    TEXT(SELECTS, "Select (Shift: add)", "選択（Shiftで追加）")                                                                                    \
    TEXT(SELECTS_UP, "Select one level up", "一つ上を選択")                                                                                        \
    TEXT(SELECTS_EXACT, "Select the very bone", "そのボーン自体を選択")                                                                            \
    TEXT(INSPECTS, "Inspect the pixel", "ピクセルの情報")                                                                                          \
    TEXT(HINT_PLAY, "play or pause", "再生・一時停止")                                                                                             \
    TEXT(HINT_KEYS, "all keys", "キー一覧")                                                                                                        \
    TEXT(HINT_OPEN, "open files", "ファイルを開く")                                                                                                \
    TEXT(HINT_PANELS, "panels", "パネル")                                                                                                          \
    TEXT(HINT_ORBIT, "orbit", "視点の回転")                                                                                                        \
    TEXT(PIXEL, "Pixel", "ピクセル")                                                                                                               \
    TEXT(MODEL, "Model", "モデル")                                                                                                                 \
    TEXT(MATERIAL, "Material", "材質")                                                                                                             \
    TEXT(BASE_COLOR, "Base colour", "基本色")                                                                                                      \
    TEXT(ITS_COLOR, "  colour", "  色")                                                                                                            \
    TEXT(TEXTURE, "Texture", "テクスチャ")                                                                                                         \
    TEXT(SPHERE, "Sphere map", "スフィア")                                                                                                         \
    TEXT(TOON, "Toon", "トゥーン")                                                                                                                 \
    TEXT(TOON_V, "Toon V", "トゥーンV座標")                                                                                                        \
    TEXT(RECEIVED_LIGHT, "Received light", "受光量")                                                                                               \
    TEXT(SPECULAR, "Specular factor", "反射強度")                                                                                                  \
    TEXT(UV, "UV", "UV")                                                                                                                           \
    TEXT(OUTLINE, "outline", "エッジ")                                                                                                             \
    TEXT(WEIGHTS, "Bone weights", "ボーンウェイト")                                                                                                \
    TEXT(LAYERS, "Layers, last drawn first", "レイヤー（後に描画した順）")                                                                         \
    TEXT(HIDDEN, "hidden", "隠れている")                                                                                                           \
    TEXT(NOTHING_HERE, "Nothing is drawn here.", "ここには何も描画されていません。")                                                               \
    TEXT(SURFACE, "Display", "表示モード")                                                                                                         \
    TEXT(SURFACE_DEFAULT, "Default", "通常")                                                                                                       \
    TEXT(SURFACE_CLAY, "Clay", "クレイ")                                                                                                           \
    TEXT(SURFACE_WEIGHTS, "Bone weights", "ボーンウェイト")                                                                                        \
    TEXT(SURFACE_MODELS, "Model IDs", "モデルID")                                                                                                  \
    TEXT(SURFACE_MATERIALS, "Material IDs", "材質ID")                                                                                              \
    TEXT(SURFACE_BONES, "Bone IDs", "ボーンID")                                                                                                    \
    TEXT(WIREFRAME, "Wireframe", "ワイヤーフレーム")                                                                                               \
    TEXT(NORMALS, "Normals", "法線")                                                                                                               \
    TEXT(SHOW_WEIGHTS, "Show weights", "ウェイトを表示")                                                                                           \
    TEXT(SOUND, "Audio", "音声")                                                                                                                   \
    TEXT(VOLUME, "Volume", "音量")                                                                                                                 \
    TEXT(OFFSET, "Start time", "開始時刻")                                                                                                         \
    TEXT(COPY, "Copy", "コピー")                                                                                                                   \
    TEXT(EDIT, "Edit", "編集")                                                                                                                     \
    TEXT(EDIT_NOTHING, "Nothing is selected. Click the model, or press %s and click a bone.",                                                      \
         "何も選択されていません。モデルをクリックするか、\n%sでボーンを表示してクリックしてください。")                                           \
    TEXT(EDIT_OTHERS, "and %u more", "他%u個")                                                                                                     \
    TEXT(EDIT_PART_OF, "%s of %s", "%sの%s")                                                                                                       \
    TEXT(EDIT_CONTROLLER, "Select %s, which moves it", "これを動かす%sを選択")                                                                     \
    TEXT(BONES_WITHOUT_FRAME, "In no display frame", "表示枠なし")                                                                                 \
    TEXT(KEY_SET, "Keys", "キー操作")                                                                                                              \
    TEXT(KEYS_OF_ODORI, "odori", "odori")                                                                                                          \
    TEXT(KEYS_OF_MMD, "as in MMD", "MMD風")                                                                                                        \
    TEXT(KEYS_OF_BLENDER, "as in Blender", "Blender風")                                                                                            \
    TEXT(EDIT_MOVE, "Move", "移動")                                                                                                                \
    TEXT(EDIT_ROTATE, "Rotate", "回転")                                                                                                            \
    TEXT(EDIT_SCALE, "Scale", "拡大")                                                                                                              \
    TEXT(EDIT_NO_MODE, "None", "なし")                                                                                                             \
    TEXT(EDIT_LOCAL, "Local", "ローカル")                                                                                                          \
    TEXT(EDIT_WORLD, "World", "グローバル")                                                                                                        \
    TEXT(EDIT_AXES, "Bone axes", "ローカル軸")                                                                                                     \
    TEXT(EDIT_PIVOT_OWN, "Individual pivots", "個別に回転")                                                                                        \
    TEXT(EDIT_PIVOT_COMMON, "Common pivot", "共通の中心で回転")                                                                                    \
    TEXT(EDIT_SNAP, "Snap", "スナップ")                                                                                                            \
    TEXT(EDIT_MIRROR, "Mirror edits left and right", "左右対称に編集")                                                                             \
    TEXT(EDIT_HANDLES, "Gizmo", "操作ハンドル")                                                                                                    \
    TEXT(EDIT_HISTORY, "History", "履歴")                                                                                                          \
    TEXT(EDIT_UNDO, "Undo", "元に戻す")                                                                                                            \
    TEXT(EDIT_REDO, "Redo", "やり直し")                                                                                                            \
    TEXT(EDIT_SAVE, "Save ...", "保存…")                                                                                                           \
    TEXT(EDIT_SAVE_AS, "Save as ...", "名前を付けて保存…")                                                                                         \
    TEXT(SHEET, "Keyframes", "キーフレーム編集")                                                                                                   \
    TEXT(SHEET_RECORD, "Auto-key: edits set keyframes", "自動登録：編集した時にキーフレームを登録")                                                \
    TEXT(SHEET_SET, "Set a keyframe for the selection", "フレーム登録")                                                                            \
    TEXT(SHEET_REMOVE, "Delete the selected keyframes (Del), or those at this frame",                                                              \
         "選択中または現在のフレームのキーフレームを削除（Del）")                                                                                  \
    TEXT(SHEET_REST, "Start at rest", "初期姿勢から開始")                                                                                          \
    TEXT(SHEET_REST_HELP,                                                                                                                          \
         "The first keyframes, from frame %u on, hold from frame 0. MMD starts at rest there.\n"                                                   \
         "Adds keyframes at rest at frame 0.",                                                                                                     \
         "最初のキーフレーム（フレーム%"                                                                                             \
         "uから）の値が、フレーム0から続いています。MMDではフレーム0は初期姿勢です。\n"                          \
         "フレーム0に初期姿勢のキーフレームを登録します。")                                                                                        \
    TEXT(SHEET_SELECTED, "Selected", "選択中")                                                                                                     \
    TEXT(SHEET_ALL, "All", "全て")                                                                                                                 \
    TEXT(SHEET_CHOSEN, "%d keyframes selected", "%d個のキーフレームを選択中")                                                                      \
    TEXT(SHEET_SHADOW, "Self-shadow", "セルフ影")                                                                                                  \
    TEXT(SHEET_SWITCHES, "Visible, IK", "表示・IK")                                                                                                \
    TEXT(SHEET_SEEN, "visible", "表示")                                                                                                            \
    TEXT(SHEET_UNSEEN, "hidden", "非表示")                                                                                                         \
    TEXT(SHEET_IK_OFF, "IK off: %u", "IKオフ：%u")                                                                                                 \
    TEXT(SHEET_SHADOW_OFF, "off", "なし")                                                                                                          \
    TEXT(SHEET_SHADOW_MODE, "mode %u, distance %.0f", "モード%u、距離%.0f")                                                                        \
    TEXT(SHEET_HINT, "Click a name to select its bone.", "名前をクリックするとボーンを選択します")                                                 \
    TEXT(CONTINUES, "Begin at the frame of last time", "前回のフレームから再生")                                                                   \
    TEXT(PALE, "Pale background, ground shadow", "淡い背景と地面影")                                                                               \
    TEXT(FIRST_WHAT, "Plays MikuMikuDance models and motions", "MMDのモデルとモーションを再生します")                                              \
    TEXT(FIRST_OPEN, "Open files ...", "ファイルを開く…")                                                                                          \
    TEXT(FIRST_DANCE, "Watch the dance", "ダンスを見る")                                                                                           \
    TEXT(FIRST_GO_ON, "Continue: %s", "前回の続き：%s")                                                                                            \
    TEXT(FIRST_PLAYLIST, "Playlist (%zu)", "プレイリスト（%zu曲）")                                                                                \
    TEXT(PLAYLIST, "Playlist", "プレイリスト")                                                                                                     \
    TEXT(PLAYLIST_ADD, "Add what is shown", "表示中のダンスを追加")                                                                                \
    TEXT(PLAYLIST_NEXT, "Next (N)", "次の曲（N）")                                                                                                 \
    TEXT(PLAYLIST_REMOVE, "Remove from the playlist", "プレイリストから外す")                                                                      \
    TEXT(PLAYLIST_UP, "Earlier in the playlist", "プレイリストの前へ移動")                                                                         \
    TEXT(PLAYLIST_DOWN, "Later in the playlist", "プレイリストの後ろへ移動")                                                                       \
    TEXT(PLAYLIST_FADE, "Fade", "フェード")                                                                                                        \
    TEXT(FIRST_KEPT, "Edits that were not saved last time", "前回保存されなかった編集")                                                            \
    TEXT(FIRST_HINT,                                                                                                                               \
         "Files can also be dropped on the window. The right mouse button orbits, the wheel zooms. "                                               \
         "%s lists the keys, %s opens the panels.",                                                                                                \
         "ファイルはウィンドウにドロップしても開けます。右ドラッグで視点回転、ホイールで拡大・縮小。" \
         "%sでキー一覧、%sでパネルを表示します。")                                                                                                 \
    TEXT(PLACE_MODEL, "Folder of the model", "モデルのフォルダ")                                                                                   \
    TEXT(PLACE_HOME, "Home", "ホーム")                                                                                                             \
    TEXT(PLACE_ROOT, "Computer", "コンピュータ")                                                                                                   \
    TEXT(FILES_ALL, "All files", "全てのファイル")                                                                                                 \
    TEXT(FILES_BUSY, "Reading ...", "読み込み中…")                                                                                                 \
    TEXT(FILES_EMPTY, "The folder is empty.", "フォルダは空です。")                                                                                \
    TEXT(FILES_NONE_OPEN, "Nothing here can be opened; \"All files\" shows the rest.",                                                             \
         "開けるファイルはありません。「全てのファイル」で残りを表示します。")                                                                     \
    TEXT(FILES_OPEN, "Open", "開く")                                                                                                               \
    TEXT(FILES_HINT, "Double-click opens; Ctrl and Shift pick several",                                                                            \
         "ダブルクリックで開く・Ctrl/Shiftで複数選択")                                                                                             \
    TEXT(SAVE_TITLE, "Save", "保存")                                                                                                               \
    TEXT(SAVE_ASKS, "There are unsaved edits. Save them?", "保存していない編集があります。保存しますか？")                                         \
    TEXT(SAVE_MOTION, "Motion of %s", "%sのモーション")                                                                                            \
    TEXT(SAVE_CAMERA, "Camera and light%s", "カメラ・照明%s")                                                                                      \
    TEXT(SAVE_POSE, "Pose of %s", "%sのポーズ")                                                                                                    \
    TEXT(SAVE_REPLACES, "replaces the file", "ファイルを置き換えます")                                                                             \
    TEXT(SAVE_BROWSE, "Choose the file", "ファイルを選択")                                                                                         \
    TEXT(SAVE_SAVE, "Save", "保存")                                                                                                                \
    TEXT(SAVE_DISCARD, "Discard", "保存しない")                                                                                                    \
    TEXT(SAVE_CANCEL, "Cancel", "キャンセル")                                                                                                      \
    TEXT(CAMERA, "Camera", "カメラ")                                                                                                               \
    TEXT(CHANNEL_X, "X", "X")                                                                                                                      \
    TEXT(CHANNEL_Y, "Y", "Y")                                                                                                                      \
    TEXT(CHANNEL_Z, "Z", "Z")                                                                                                                      \
    TEXT(CHANNEL_ROTATION, "Rotation", "回転")                                                                                                     \
    TEXT(CHANNEL_DISTANCE, "Distance", "距離")                                                                                                     \
    TEXT(CHANNEL_ANGLE, "FOV", "視野角")                                                                                                           \
    TEXT(CHANNEL_ALL, "All", "全て")                                                                                                               \
    TEXT(CURVE_LINEAR, "Linear", "直線")                                                                                                           \
    TEXT(CURVE_IN, "Ease in", "イーズイン")                                                                                                        \
    TEXT(CURVE_OUT, "Ease out", "イーズアウト")                                                                                                    \
    TEXT(CURVE_IN_OUT, "Ease in and out", "イーズイン・アウト")                                                                                    \
    TEXT(MENU_PLAY, "Play", "再生")                                                                                                                \
    TEXT(MENU_PAUSE, "Pause", "一時停止")                                                                                                          \
    TEXT(MENU_SOUND, "Sound on", "音声オン")                                                                                                       \
    TEXT(MENU_MUTE, "Sound off", "音声オフ")                                                                                                       \
    TEXT(SOUND_VOLUME, "Volume %.0f %%: wheel", "音量%.0f%%：ホイールで調整")                                                                      \
    TEXT(MENU_LARGER, "Larger", "大きく")                                                                                                          \
    TEXT(MENU_SMALLER, "Smaller", "小さく")                                                                                                        \
    TEXT(MENU_CLOSE, "Close", "閉じる")                                                                                                            \
    TEXT(CURVE_NONE, "Select a keyframe of a bone or the camera to edit its interpolation curve.",                                                 \
         "ボーンかカメラのキーフレームを選択すると、補間曲線を編集できます。")

#ifndef ODORI_UI_TEXTS_H
#define ODORI_UI_TEXTS_H

#ifdef __cplusplus
extern "C" {
#endif

#define UI_TEXT_NAME(name, english, japanese) TEXT_##name,
typedef enum ui_text { UI_TEXTS(UI_TEXT_NAME) UI_TEXT_COUNT } ui_text;
#undef UI_TEXT_NAME

/* Returns a text in Japanese or English, as a static string. */
const char *ui_text_of(ui_text text, int japanese);

#ifdef __cplusplus
}
#endif

#endif
