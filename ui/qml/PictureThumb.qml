import QtQuick

// A picture in small; pressing it shows it in full.
Rectangle {
    id: thumb

    required property var picture
    property bool readable: true
    signal opened

    implicitWidth: 132
    implicitHeight: 98
    radius: Theme.pictureRadius
    color: Theme.sunken
    border.color: Theme.line
    activeFocusOnTab: true
    Accessible.role: Accessible.Button
    Accessible.name: qsTr("Picture %1, show in full").arg(picture.name)
    Accessible.onPressAction: opened()
    Keys.onReturnPressed: opened()
    Keys.onSpacePressed: opened()

    Image {
        anchors.fill: parent
        anchors.margins: 1
        asynchronous: true
        fillMode: Image.PreserveAspectFit
        sourceSize.width: Math.round(width * 2)
        sourceSize.height: Math.round(height * 2)
        source: thumb.readable && thumb.picture.hash !== "" ? "image://pictures/" + thumb.picture.hash : ""
        Accessible.ignored: true
    }
    TapHandler {
        onTapped: thumb.opened()
    }
    HoverHandler {
        cursorShape: Qt.PointingHandCursor
    }
    FocusFrame {
        visible: thumb.activeFocus
    }
}
