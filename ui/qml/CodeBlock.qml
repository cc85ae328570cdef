import QtQuick

// Code of an answer, as it is. Long code comes in several of these, which join without a gap.
Rectangle {
    id: block

    required property string code
    required property string language
    required property bool goesOn
    required property bool goesOnBelow
    signal copyAsked

    implicitHeight: (goesOn ? 0 : head.height) + text.height + (goesOnBelow ? 0 : Theme.small)
    color: Theme.sunken
    radius: goesOn || goesOnBelow ? 0 : Theme.controlRadius

    Item {
        id: head
        visible: !block.goesOn
        width: parent.width
        height: Theme.controlHeight

        Words {
            anchors.left: parent.left
            anchors.leftMargin: Theme.medium
            anchors.verticalCenter: parent.verticalCenter
            secondary: true
            text: block.language !== "" ? block.language : qsTr("code")
        }
        LinkButton {
            anchors.right: parent.right
            anchors.rightMargin: Theme.small
            text: qsTr("Copy code")
            onClicked: block.copyAsked()
        }
    }

    Flickable {
        y: block.goesOn ? 0 : head.height
        width: parent.width
        height: text.height
        contentWidth: text.width
        flickableDirection: Flickable.HorizontalFlick
        boundsBehavior: Flickable.StopAtBounds
        clip: true

        TextEdit {
            id: text
            width: Math.max(implicitWidth, block.width)
            leftPadding: Theme.medium
            rightPadding: Theme.medium
            readOnly: true
            selectByMouse: true
            textFormat: TextEdit.PlainText
            text: block.code
            font.family: Theme.monospace
            font.pixelSize: Theme.controlSize
            color: Theme.text
            selectionColor: Theme.accent
            selectedTextColor: Theme.accentText
            activeFocusOnTab: false
            Accessible.role: Accessible.StaticText
            Accessible.name: block.code
        }
    }
}
