import QtQuick
import PopLens.Core

// Model, device and memory, at the left of the header. Pressing it opens the models.
PushButton {
    id: badge

    required property EngineState engine

    // Layouts give whole pixels: less would be elided.
    readonly property real nameWidth: Math.min(200, Math.ceil(name.implicitWidth))
    readonly property real detailWidth: Math.min(262, Math.ceil(detail.implicitWidth))

    implicitWidth: Math.min(492, 9 + nameWidth + detailWidth + 4 * Theme.medium)
    text: engine.model
    Accessible.name: qsTr("Model: %1, %2").arg(engine.model).arg(engine.detail)

    contentItem: Row {
        id: content
        leftPadding: 1
        spacing: Theme.medium

        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            width: 8
            height: 8
            radius: 4
            color: badge.engine.state === EngineState.Ready ? Theme.ok
                 : badge.engine.state === EngineState.Failed ? Theme.error
                 : badge.engine.state === EngineState.Loading ? Theme.warning : Theme.secondary
        }
        Words {
            id: name
            anchors.verticalCenter: parent.verticalCenter
            text: badge.engine.model
            strong: true
            width: Math.max(0, Math.min(badge.nameWidth, badge.availableWidth - x))
        }
        Words {
            id: detail
            anchors.verticalCenter: parent.verticalCenter
            text: badge.engine.detail
            color: Theme.secondary
            width: Math.max(0, Math.min(badge.detailWidth, badge.availableWidth - x))
        }
    }
}
