pragma ComponentBehavior: Bound
import QtQuick
import PopLens.Core

// What stands at the right of a screen: the plan beside the chat, the sweep beside a comparison.
Item {
    id: side

    required property Program program
    required property string screen
    required property bool active

    Lazy {
        active: side.active && side.screen === "chat"
        PopPanelView {
            anchors.fill: parent
            pop: side.program.pop
            chat: side.program.chat
        }
    }
    Lazy {
        active: side.active && side.screen === "compare"
        SweepPanel {
            anchors.fill: parent
            compare: side.program.compare
        }
    }
}
