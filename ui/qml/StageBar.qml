pragma ComponentBehavior: Bound
import QtQuick
import PopLens.Core

// What an answer waited for: one part a stage, the same scale throughout, with its legend.
Column {
    id: bar

    // Null for a moment when its message is removed.
    required property StageBarModel stages
    property bool legend: true
    // What the whole width stands for; comparisons give both bars the same.
    property real fullMs: stages?.fullMs ?? 0

    spacing: Theme.small

    Rectangle {
        width: parent.width
        height: 10
        radius: 5
        color: Theme.sunken
        clip: true
        Accessible.role: Accessible.ProgressBar
        Accessible.name: bar.stages?.running ? bar.stages.caption : qsTr("First token after %1").arg(Format.ms(bar.stages?.elapsedMs ?? 0))

        Row {
            id: parts
            height: parent.height
            spacing: 1

            Repeater {
                model: bar.stages
                delegate: Item {
                    id: part
                    required property int part
                    required property real ms
                    required property int index
                    readonly property real share: bar.fullMs > 0 ? ms / bar.fullMs : 0

                    width: Math.max(0, Math.min(share, 1) * (bar.width - (parts.children.length - 2)))
                    height: parts.height
                    clip: true

                    Rectangle {
                        // Only the bar's own ends are round; a part of no width leaves its end to its neighbour.
                        readonly property bool first: part.x <= part.index * parts.spacing + 0.5
                        readonly property bool last: part.x + part.width >= bar.width - (parts.children.length - 2 - part.index) * parts.spacing - 0.5
                        x: first ? 0 : -radius
                        width: parent.width - x + (last ? 0 : radius)
                        height: parent.height
                        radius: 5
                        color: Theme.stageColor(part.part)
                    }
                }
            }
        }
    }

    Flow {
        width: parent.width
        visible: bar.legend
        spacing: Theme.medium

        Repeater {
            model: bar.stages
            delegate: Row {
                id: entry
                required property int part
                required property string name
                required property real ms

                spacing: 6
                Rectangle {
                    anchors.verticalCenter: parent.verticalCenter
                    width: 8
                    height: 8
                    radius: 2
                    color: Theme.stageColor(entry.part)
                }
                Words {
                    secondary: true
                    text: qsTr("%1 %2").arg(entry.name).arg(Format.ms(entry.ms))
                }
            }
        }
    }
}
