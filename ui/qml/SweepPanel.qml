import QtQuick
import PopLens.Core

// The question that is compared, at several depths.
Flickable {
    id: panel

    required property Compare compare
    readonly property SweepModel sweep: compare.sweep

    contentHeight: content.height + 2 * Theme.large
    boundsBehavior: Flickable.StopAtBounds
    clip: true

    Column {
        id: content
        x: Theme.large
        y: Theme.large
        width: panel.width - 2 * Theme.large
        spacing: Theme.small

        Words {
            height: 24
            text: qsTr("Sweep over depth")
            strong: true
        }
        SweepChart {
            width: parent.width
            visible: panel.sweep.count > 0
            sweep: panel.sweep
        }
        Rectangle {
            width: parent.width
            height: empty.height + 2 * Theme.medium
            visible: panel.sweep.count === 0
            radius: Theme.controlRadius
            color: Theme.sunken
            Words {
                id: empty
                x: Theme.medium
                y: Theme.medium
                width: parent.width - 2 * Theme.medium
                wrapMode: Text.Wrap
                color: panel.sweep.error !== "" ? Theme.error : Theme.secondary
                text: panel.sweep.error !== "" ? panel.sweep.error
                    : qsTr("Answers the question at about ten depths and shows how time to the first token and agreement with the full model change.")
            }
        }
        PanelRow {
            width: parent.width
            visible: panel.sweep.count > 0
            name: qsTr("Deepest with ≥ 97 % agreement")
            value: qsTr("%1 of %2").arg(panel.sweep.deepest).arg(panel.sweep.layers)
        }
        PanelRow {
            width: parent.width
            visible: panel.sweep.count > 0
            name: qsTr("First token there")
            value: Format.ms(panel.sweep.deepestMs)
        }
        Words {
            width: parent.width
            visible: panel.sweep.count > 0
            secondary: true
            wrapMode: Text.Wrap
            text: qsTr("Agreement is the share of the answer's tokens before it parts from the full model's. This is one question: another may bear more, or less.")
        }
        Row {
            spacing: Theme.small
            topPadding: Theme.tiny
            PushButton {
                text: panel.sweep.running ? qsTr("Stop sweep") : qsTr("Run sweep")
                enabled: panel.compare.hasQuestion && !panel.compare.running
                hint: qsTr("Takes as long as about ten comparisons")
                onClicked: panel.sweep.running ? panel.sweep.stop() : panel.sweep.start()
            }
            PushButton {
                text: qsTr("Use this depth")
                enabled: panel.sweep.deepest > 0 && !panel.sweep.running
                hint: qsTr("Prune %1 of %2 layers in the next prefill").arg(panel.sweep.deepest).arg(panel.sweep.layers)
                onClicked: panel.compare.useDepth(panel.sweep.deepest)
            }
        }
        Words {
            width: parent.width
            visible: panel.sweep.running
            secondary: true
            text: panel.sweep.caption
        }
    }
}
