import QtQuick
import QtQuick.Templates as T

T.Button {
    id: button

    property bool primary: false
    property bool flatLook: false
    property bool current: false
    property string iconPath: ""
    property string hint: ""
    property bool hintWanted: hovered

    implicitWidth: Math.max(Theme.controlHeight, row.implicitWidth + leftPadding + rightPadding)
    implicitHeight: Theme.controlHeight
    leftPadding: text === "" ? Theme.small : Theme.medium
    rightPadding: leftPadding
    opacity: enabled ? 1 : 0.45
    font.pixelSize: Theme.controlSize
    font.weight: current || primary ? Font.DemiBold : Font.Normal
    hoverEnabled: true
    Accessible.role: Accessible.Button
    Accessible.name: text !== "" ? text : hint
    Accessible.onPressAction: button.clicked()
    Keys.onReturnPressed: button.clicked()
    Keys.onEnterPressed: button.clicked()

    contentItem: Item {
        implicitWidth: row.implicitWidth
        implicitHeight: row.implicitHeight

        Row {
            id: row
            anchors.centerIn: parent
            spacing: Theme.small

            Icon {
                anchors.verticalCenter: parent.verticalCenter
                visible: button.iconPath !== ""
                path: button.iconPath
                color: label.color
            }
            Text {
                id: label
                anchors.verticalCenter: parent.verticalCenter
                visible: text !== ""
                text: button.text
                textFormat: Text.PlainText
                font: button.font
                color: button.primary ? Theme.accentText : Theme.text
            }
        }
    }

    background: ButtonBack {
        primary: button.primary
        flatLook: button.flatLook
        down: button.down
        hovered: button.hovered
        atKeyboard: button.visualFocus
    }

    Tip {
        text: button.hint
        shown: button.hintWanted && button.hint !== ""
    }
}
