import QtQuick
import QtQuick.Templates as T

// An action that is only words: under an answer.
T.Button {
    id: button

    implicitWidth: label.implicitWidth + 2 * Theme.tiny
    implicitHeight: Theme.controlHeight
    padding: Theme.tiny
    hoverEnabled: true
    font.pixelSize: Theme.secondarySize
    opacity: enabled ? 1 : 0.45
    Accessible.role: Accessible.Button
    Accessible.name: text
    Accessible.onPressAction: button.clicked()
    Keys.onReturnPressed: button.clicked()

    contentItem: Text {
        id: label
        text: button.text
        textFormat: Text.PlainText
        font: button.font
        color: button.hovered || button.visualFocus ? Theme.accent : Theme.secondary
        verticalAlignment: Text.AlignVCenter
        horizontalAlignment: Text.AlignHCenter
    }
    background: Item {
        FocusFrame {
            visible: button.visualFocus
            anchors.margins: 0
        }
    }
}
