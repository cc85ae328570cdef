pragma Singleton
import QtQuick

// Colours, type and space of the whole program.
QtObject {
    id: theme

    // 0 as the desktop, 1 light, 2 dark
    property int scheme: 0
    readonly property bool dark: scheme === 2 || (scheme === 0 && systemPalette.window.hslLightness < 0.5)
    property bool reducedMotion: false

    readonly property color background: dark ? "#17181A" : "#FAFAF8"
    readonly property color surface: dark ? "#1F2023" : "#FFFFFF"
    readonly property color sunken: dark ? "#131416" : "#F1F1EE"
    readonly property color line: dark ? "#303236" : "#E2E2DD"
    // Where a control ends: 3 : 1 against what it lies on, which a line between two surfaces need not have.
    readonly property color edge: dark ? "#6A6E75" : "#8E918B"
    readonly property color text: dark ? "#ECEDEE" : "#1C1D1F"
    readonly property color secondary: dark ? "#A2A6AD" : "#5E6166"
    readonly property color accent: dark ? "#86A8FF" : "#2B5FD9"
    readonly property color accentText: dark ? "#0E1526" : "#FFFFFF"
    readonly property color selection: dark ? "#26314D" : "#E6EDFC"
    readonly property color ownMessage: dark ? "#262A33" : "#EEF2FB"
    readonly property color prefill: dark ? "#86A8FF" : "#2B5FD9"
    readonly property color decode: dark ? "#F0A04B" : "#C9650A"
    readonly property color vision: dark ? "#BFA3FF" : "#7A52C7"
    readonly property color image: dark ? "#8C929B" : "#858A93"
    readonly property color boundary: dark ? "#4CC9B3" : "#0B8072"
    readonly property color firstToken: dark ? "#F088BE" : "#B4307A"
    readonly property color ok: dark ? "#6CCB8A" : "#1E7F3C"
    readonly property color warning: dark ? "#E3B04B" : "#9A6200"
    readonly property color error: dark ? "#FF8A80" : "#B3261E"

    readonly property int tiny: 4
    readonly property int small: 8
    readonly property int medium: 12
    readonly property int large: 16
    readonly property int huge: 24

    readonly property int secondarySize: 12
    readonly property int controlSize: 13
    readonly property int textSize: 14
    readonly property int titleSize: 15
    readonly property int figureSize: 26

    readonly property int controlRadius: 8
    readonly property int cardRadius: 12
    readonly property int pictureRadius: 6
    readonly property int controlHeight: 32

    readonly property int motion: reducedMotion ? 0 : 120
    readonly property string monospace: "monospace"

    readonly property SystemPalette systemPalette: SystemPalette {}

    // The colour of a part of the stage bar, in the order of StageBarModel.Part.
    function stageColor(part: int): color {
        return [secondary, image, vision, prefill, boundary, firstToken][part];
    }
}
