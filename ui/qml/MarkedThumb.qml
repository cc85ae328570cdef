import QtQuick
import PopLens

// What an answer marks in a picture, drawn over it; pressing the picture shows it in full.
Column {
    id: view

    required property var marked
    property bool marksShown: true
    signal opened
    signal marksToggled

    readonly property size natural: marked.picture.size
    // Small pictures are shown in up to twice their size.
    readonly property real scaleToFit: Math.min(2, width / Math.max(1, natural.width), 320 / Math.max(1, natural.height))

    spacing: Theme.tiny

    Rectangle {
        id: thumb
        width: Math.max(48, Math.round(view.natural.width * view.scaleToFit))
        height: Math.max(48, Math.round(view.natural.height * view.scaleToFit))
        radius: Theme.pictureRadius
        color: Theme.sunken
        border.color: Theme.line
        activeFocusOnTab: true
        Accessible.role: Accessible.Button
        Accessible.name: view.marksShown ? qsTr("Picture %1 with %2, show in full").arg(view.marked.picture.name).arg(view.marked.description)
                                         : qsTr("Picture %1, show in full").arg(view.marked.picture.name)
        Accessible.onPressAction: view.opened()
        Keys.onReturnPressed: view.opened()
        Keys.onSpacePressed: view.opened()

        Image {
            anchors.fill: parent
            anchors.margins: 1
            asynchronous: true
            fillMode: Image.PreserveAspectFit
            sourceSize.width: Math.round(width * 2)
            sourceSize.height: Math.round(height * 2)
            source: "image://pictures/" + view.marked.picture.hash
            Accessible.ignored: true
        }
        MarkOverlay {
            anchors.fill: parent
            visible: view.marksShown
            marked: view.marked
            pictureRect: Qt.rect(0, 0, width, height)
            labelSize: Theme.secondarySize
        }
        TapHandler {
            onTapped: view.opened()
        }
        HoverHandler {
            cursorShape: Qt.PointingHandCursor
        }
        FocusFrame {
            visible: thumb.activeFocus
        }
    }
    Row {
        spacing: Theme.small
        Words {
            height: Theme.controlHeight
            width: Math.min(implicitWidth, view.width - toggle.width - parent.spacing)
            secondary: true
            text: qsTr("%1 · %2").arg(view.marked.count).arg(view.marked.picture.name)
        }
        LinkButton {
            id: toggle
            text: view.marksShown ? qsTr("Hide marks") : qsTr("Show marks")
            onClicked: view.marksToggled()
        }
    }
}
