/* Every text of the panels, in both languages: TEXT(name, English, Japanese). */
#define UI_TEXTS(TEXT)                                                                                       \
    TEXT(MODELS, "Models", "モデル")                                                                         \
    TEXT(MORPHS, "Morphs", "表情")                                                                           \
    TEXT(BONES, "Bones", "ボーン")                                                                           \
    TEXT(MATERIALS, "Materials", "材質")                                                                     \
    TEXT(PHYSICS, "Physics", "物理")                                                                         \
    TEXT(VIEW, "View", "表示")                                                                               \
    TEXT(STATISTICS, "Statistics", "統計")                                                                   \
    TEXT(LOG, "Messages", "記録")                                                                            \
    TEXT(PLAY, "Play (space)", "再生 (スペース)")                                                            \
    TEXT(PAUSE, "Pause (space)", "一時停止 (スペース)")                                                      \
    TEXT(FIRST, "First frame (Home)", "先頭へ (Home)")                                                       \
    TEXT(STEP_BACK, "A frame back (left)", "1フレーム戻る (←)")                                              \
    TEXT(STEP_ON, "A frame on (right)", "1フレーム進む (→)")                                                 \
    TEXT(PANELS, "Panels (Tab)", "パネル (Tab)")                                                             \
    TEXT(SIMULATING, "simulating", "物理計算中")                                                             \
    TEXT(CUT, "camera cut", "カメラの切替")                                                                  \
    TEXT(FILTER, "filter", "絞り込み")                                                                       \
    TEXT(NONE, "There is no model.", "モデルがありません。")                                                 \
    TEXT(NOTHING_FOUND, "Nothing is called so.", "見つかりません。")                                         \
    TEXT(VISIBLE, "Visible", "表示する")                                                                     \
    TEXT(OPACITY, "Opacity", "不透明度")                                                                     \
    TEXT(SHADOWS, "Shadows", "影")                                                                           \
    TEXT(ADDITIVE, "Additive", "加算合成")                                                                   \
    TEXT(VERTICES, "Vertices", "頂点")                                                                       \
    TEXT(TRIANGLES, "Triangles", "三角形")                                                                   \
    TEXT(BROWS, "Brows", "まゆ")                                                                             \
    TEXT(EYES, "Eyes", "目")                                                                                 \
    TEXT(MOUTH, "Mouth", "リップ")                                                                           \
    TEXT(OTHERS, "Others", "その他")                                                                         \
    TEXT(RESET_ALL, "All back to the motion", "すべてモーションに戻す")                                      \
    TEXT(RESET_ONE, "Back to the motion", "モーションに戻す")                                                \
    TEXT(PLACE, "Placement", "配置")                                                                         \
    TEXT(POSITION, "Position", "位置")                                                                       \
    TEXT(ROTATION, "Rotation", "回転")                                                                       \
    TEXT(PARENT, "Parent", "親")                                                                             \
    TEXT(LAYER, "Layer", "変形階層")                                                                         \
    TEXT(SHOW_ALL, "Show all", "すべて表示")                                                                 \
    TEXT(HIDE_ALL, "Hide all", "すべて隠す")                                                                 \
    TEXT(SOLO, "Only", "単独")                                                                               \
    TEXT(SIMULATE, "Simulate", "物理演算")                                                                   \
    TEXT(GRAVITY, "Gravity", "重力")                                                                         \
    TEXT(GROUND, "Ground", "床")                                                                             \
    TEXT(RESTART, "Simulate anew", "初めから計算")                                                           \
    TEXT(DEBUG_LINES, "Lines", "線の表示")                                                                   \
    TEXT(BODIES, "Bodies", "剛体")                                                                           \
    TEXT(JOINTS, "Joints", "ジョイント")                                                                     \
    TEXT(CONTACTS, "Contacts", "接触")                                                                       \
    TEXT(LIGHT, "Light", "照明")                                                                             \
    TEXT(COLOR, "Color", "色")                                                                               \
    TEXT(DIRECTION, "Direction", "方向")                                                                     \
    TEXT(PICTURE, "Picture", "画面")                                                                         \
    TEXT(EDGES, "Outlines", "エッジ")                                                                        \
    TEXT(GRID, "Grid and axes", "座標軸")                                                                    \
    TEXT(SELF_SHADOW, "Self shadow", "セルフ影")                                                             \
    TEXT(GROUND_SHADOW, "Ground shadow", "地面影")                                                           \
    TEXT(SMOOTH, "Light at pixels", "ピクセル照明")                                                          \
    TEXT(BACKGROUND, "Background", "背景色")                                                                 \
    TEXT(FILES_BESIDE, "Beside it", "同じ場所のファイル")                                                    \
    TEXT(FILES_RECENT, "Opened before", "最近開いたファイル")                                                \
    TEXT(ESC_STOPS, "Esc stops", "Escで中止")                                                                \
    TEXT(PANELS_THEMSELVES, "Panels", "パネル")                                                              \
    TEXT(LANGUAGE, "Language", "言語")                                                                       \
    TEXT(AUTOMATIC, "Automatic", "自動")                                                                     \
    TEXT(SIZE, "Size", "大きさ")                                                                             \
    TEXT(PICTURES_A_SECOND, "Pictures a second", "毎秒フレーム数")                                           \
    TEXT(DRAWING, "Drawing", "描画")                                                                         \
    TEXT(STEPS, "Physics steps", "物理演算")                                                                 \
    TEXT(POSES, "Poses for physics", "物理用ポーズ")                                                         \
    TEXT(UPLOAD, "Upload", "転送")                                                                           \
    TEXT(DRAW_CALLS, "Draw calls", "描画命令")                                                               \
    TEXT(MEMORY, "Memory", "メモリ")                                                                         \
    TEXT(PASSES, "Measure passes (slower)", "パスを計測 (遅くなる)")                                         \
    TEXT(PASS_SKIN, "Skinning", "スキニング")                                                                \
    TEXT(PASS_SHADOW_MAP, "Shadow map", "影マップ")                                                          \
    TEXT(PASS_OBJECT, "Models", "モデル")                                                                    \
    TEXT(PASS_EDGE, "Outlines", "エッジ")                                                                    \
    TEXT(PASS_GROUND_SHADOW, "Ground shadow", "地面影")                                                      \
    TEXT(NO_MESSAGES, "Nothing to report.", "記録はありません。")                                            \
    TEXT(KEYS, "Keys and mouse", "キーとマウス")                                                             \
    TEXT(KEYS_HELP, "Keys and mouse (F1)", "キーとマウス (F1)")                                              \
    TEXT(KEYS_TIME, "Dance", "再生")                                                                         \
    TEXT(KEYS_CAMERA, "Camera", "カメラ")                                                                    \
    TEXT(KEYS_VIEW, "View", "表示")                                                                          \
    TEXT(KEYS_EDIT, "Editing", "編集")                                                                       \
    TEXT(KEYS_WINDOW, "Window", "ウィンドウ")                                                                \
    TEXT(MOUSE, "Mouse", "マウス")                                                                           \
    TEXT(MOUSE_LEFT, "Left drag", "左ドラッグ")                                                              \
    TEXT(MOUSE_RIGHT, "Right drag", "右ドラッグ")                                                            \
    TEXT(MOUSE_MIDDLE, "Middle drag", "中ドラッグ")                                                          \
    TEXT(MOUSE_WHEEL, "Wheel", "ホイール")                                                                   \
    TEXT(MOUSE_INSPECT, "Ctrl+Left click", "Ctrl+左クリック")                                                \
    TEXT(TURNS, "turns the camera", "視点の回転")                                                            \
    TEXT(MOVES, "moves the camera", "視点の移動")                                                            \
    TEXT(COMES_NEARER, "comes nearer, goes away", "近づく・離れる")                                          \
    TEXT(INSPECTS, "what is seen there", "ピクセルを調べる")                                                 \
    TEXT(PIXEL, "Pixel", "ピクセル")                                                                         \
    TEXT(MODEL, "Model", "モデル")                                                                           \
    TEXT(MATERIAL, "Material", "材質")                                                                       \
    TEXT(BASE_COLOR, "Base color", "基本色")                                                                 \
    TEXT(ITS_COLOR, "  its color", "  その色")                                                               \
    TEXT(TEXTURE, "Texture", "テクスチャ")                                                                   \
    TEXT(SPHERE, "Sphere", "スフィア")                                                                       \
    TEXT(TOON, "Toon", "トゥーン")                                                                           \
    TEXT(TOON_PLACE, "Down the toon", "トゥーン位置")                                                        \
    TEXT(ARRIVING_LIGHT, "Light arriving", "届く光")                                                         \
    TEXT(HIGHLIGHT, "Highlight", "ハイライト")                                                               \
    TEXT(UV, "UV", "UV")                                                                                     \
    TEXT(OUTLINE, "outline", "エッジ")                                                                       \
    TEXT(WEIGHTS, "Weights of bones", "ボーンのウェイト")                                                    \
    TEXT(LAYERS, "Layers, what is drawn last first", "重なり (後に描くものから)")                            \
    TEXT(HIDDEN, "hidden", "隠れている")                                                                     \
    TEXT(NOTHING_HERE, "There is nothing here.", "ここには何もありません。")                                 \
    TEXT(SURFACE, "Surface", "表面")                                                                         \
    TEXT(SURFACE_PICTURE, "As it is", "通常")                                                                \
    TEXT(SURFACE_CLAY, "Clay", "クレイ")                                                                     \
    TEXT(SURFACE_WEIGHTS, "Weights of a bone", "ボーンのウェイト")                                           \
    TEXT(SURFACE_MODELS, "IDs of models", "モデルID")                                                        \
    TEXT(SURFACE_MATERIALS, "IDs of materials", "材質ID")                                                    \
    TEXT(SURFACE_BONES, "IDs of bones", "ボーンID")                                                          \
    TEXT(WIREFRAME, "Triangles", "ワイヤー")                                                                 \
    TEXT(NORMALS, "Normals", "法線")                                                                         \
    TEXT(SHOW_WEIGHTS, "Show its weights", "ウェイトを表示")                                                 \
    TEXT(SOUND, "Sound", "音声")                                                                             \
    TEXT(VOLUME, "Volume", "音量")                                                                           \
    TEXT(OFFSET, "Begins at", "開始")                                                                        \
    TEXT(COPY, "Copy", "コピー")                                                                             \
    TEXT(EDIT, "Edit", "編集")                                                                               \
    TEXT(MOUSE_CLICK, "Left click (Shift)", "左クリック (Shift)")                                            \
    TEXT(SELECTS, "selects what is edited (more)", "編集対象の選択 (追加)")                                  \
    TEXT(EDIT_NOTHING, "Nothing is selected. Click on the dancer, or with Shift+B on a bone.",               \
         "選択がありません。モデルか、Shift+Bで出るボーンをクリック。")                                      \
    TEXT(EDIT_OTHERS, "and %u more", "他 %u 件")                                                             \
    TEXT(EDIT_RESET, "Back to nothing edited", "編集を取り消す")                                             \
    TEXT(EDIT_SNAP, "Steps of", "きざみ")                                                                    \
    TEXT(EDIT_MIRROR, "Left and right alike, mirrored", "左右対称に編集")                                    \
    TEXT(EDIT_MOVE, "Move", "移動")                                                                          \
    TEXT(EDIT_TURN, "Turn", "回転")                                                                          \
    TEXT(EDIT_NO_MODE, "None", "なし")                                                                       \
    TEXT(EDIT_LOCAL, "Local", "ローカル")                                                                    \
    TEXT(EDIT_WORLD, "World", "グローバル")                                                                  \
    TEXT(EDIT_AXES, "Its axes", "ローカル軸")                                                                \
    TEXT(EDIT_PIVOT_OWN, "Each about itself", "個別に回転")                                                  \
    TEXT(EDIT_PIVOT_COMMON, "All about their middle", "共通の中心で回転")                                    \
    TEXT(EDIT_HANDLES, "Handles", "操作ハンドル")                                                            \
    TEXT(EDIT_STEPS, "Steps", "履歴")                                                                        \
    TEXT(EDIT_UNDO, "Undo", "元に戻す")                                                                      \
    TEXT(EDIT_REDO, "Redo", "やり直す")                                                                      \
    TEXT(SHEET, "Keys of the motion (D)", "キーフレーム編集 (D)")                                            \
    TEXT(SHEET_RECORD, "Edits write keys", "編集をキーフレームに登録")                                       \
    TEXT(SHEET_SET, "A key here: what is selected, as it is posed", "キーフレーム登録")                      \
    TEXT(SHEET_REMOVE, "Deletes the keys (Del); without any, those at this frame", "キーフレーム削除 (Del)") \
    TEXT(SHEET_SELECTED, "Selected", "選択中")                                                               \
    TEXT(SHEET_ALL, "All", "全て")                                                                           \
    TEXT(SHEET_CHOSEN, "%d chosen", "キーフレーム %d 個")                                                    \
    TEXT(SHEET_SHADOW, "Self shadow", "セルフ影")                                                            \
    TEXT(SHEET_SWITCHES, "Visible, IK", "表示・IK")                                                          \
    TEXT(SHEET_SEEN, "visible", "表示")                                                                      \
    TEXT(SHEET_UNSEEN, "hidden", "非表示")                                                                   \
    TEXT(SHEET_IK_OFF, "IK off: %u", "IKオフ: %u")                                                           \
    TEXT(SHEET_SHADOW_OFF, "off", "なし")                                                                    \
    TEXT(SHEET_SHADOW_MODE, "mode %u, %.0f", "モード%u、%.0f")                                               \
    TEXT(SHEET_HINT, "A name selects its bone.", "名前をクリックしてボーンを選択")                           \
    TEXT(CAMERA, "Camera", "カメラ")                                                                         \
    TEXT(CHANNEL_X, "X", "X")                                                                                \
    TEXT(CHANNEL_Y, "Y", "Y")                                                                                \
    TEXT(CHANNEL_Z, "Z", "Z")                                                                                \
    TEXT(CHANNEL_TURN, "Rotation", "回転")                                                                   \
    TEXT(CHANNEL_DISTANCE, "Distance", "距離")                                                               \
    TEXT(CHANNEL_ANGLE, "Angle", "視野角")                                                                   \
    TEXT(CHANNEL_ALL, "All", "全て")                                                                         \
    TEXT(CURVE_LINEAR, "Linear", "直線")                                                                     \
    TEXT(CURVE_IN, "Starts slowly", "ゆっくり始まる")                                                        \
    TEXT(CURVE_OUT, "Ends slowly", "ゆっくり終わる")                                                         \
    TEXT(CURVE_IN_OUT, "Starts and ends slowly", "ゆっくり始まり、ゆっくり終わる")                           \
    TEXT(CURVE_NONE, "Select a bone or the camera, and a key: its curve is shown here.",                     \
         "ボーンかカメラのキーフレームを選択すると補間曲線を編集できます。")

#ifndef ODORI_UI_TEXTS_H
#define ODORI_UI_TEXTS_H

#ifdef __cplusplus
extern "C" {
#endif

#define UI_TEXT_NAME(name, english, japanese) TEXT_##name,
typedef enum ui_text { UI_TEXTS(UI_TEXT_NAME) UI_TEXT_COUNT } ui_text;
#undef UI_TEXT_NAME

const char *ui_text_of(ui_text text, int japanese);

#ifdef __cplusplus
}
#endif

#endif
