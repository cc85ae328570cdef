import QtQuick
import QtQuick.Templates as T

// A picture in full: zoom with wheel, pinch or + and -, pan by dragging or with the arrows.
T.Popup {
    id: viewer

    property var picture: null

    function show(what: var): void {
        picture = what;
        open();
        view.fit();
    }

    parent: T.Overlay.overlay
    x: 0
    y: 0
    width: parent ? parent.width : 0
    height: parent ? parent.height : 0
    padding: 0
    modal: true
    focus: true
    onOpened: view.forceActiveFocus()

    background: Rectangle {
        color: Theme.background
    }
    contentItem: FocusScope {
        Flickable {
            id: view

            property real zoom: 1
            readonly property size natural: viewer.picture ? viewer.picture.size : Qt.size(1, 1)
            readonly property real fitting: Math.min(1, (width - 2 * Theme.huge) / Math.max(1, natural.width), (height - 2 * Theme.huge) / Math.max(1, natural.height))

            function fit(): void {
                zoom = fitting;
            }
            function zoomTo(value: real, around: point): void {
                const old = zoom;
                zoom = Math.max(fitting / 2, Math.min(16, value));
                contentX = Math.max(0, (contentX + around.x) * zoom / old - around.x);
                contentY = Math.max(0, (contentY + around.y) * zoom / old - around.y);
                returnToBounds();
            }

            anchors.fill: parent
            focus: true
            contentWidth: Math.max(width, picture.width)
            contentHeight: Math.max(height, picture.height)
            boundsBehavior: Flickable.StopAtBounds
            clip: true
            Accessible.role: Accessible.Graphic
            Accessible.name: viewer.picture ? qsTr("Picture %1").arg(viewer.picture.name) : ""
            Keys.onPressed: event => {
                const middle = Qt.point(width / 2, height / 2);
                if (event.key === Qt.Key_Plus || event.key === Qt.Key_Equal)
                    zoomTo(zoom * 1.25, middle);
                else if (event.key === Qt.Key_Minus)
                    zoomTo(zoom / 1.25, middle);
                else if (event.key === Qt.Key_0)
                    fit();
                else if (event.key === Qt.Key_1)
                    zoomTo(1, middle);
                else if (event.key === Qt.Key_Left)
                    contentX = Math.max(0, contentX - 40);
                else if (event.key === Qt.Key_Right)
                    contentX = Math.min(contentWidth - width, contentX + 40);
                else if (event.key === Qt.Key_Up)
                    contentY = Math.max(0, contentY - 40);
                else if (event.key === Qt.Key_Down)
                    contentY = Math.min(contentHeight - height, contentY + 40);
                else
                    return;
                event.accepted = true;
            }

            Image {
                id: picture
                x: Math.max(0, (view.width - width) / 2)
                y: Math.max(0, (view.height - height) / 2)
                width: view.natural.width * view.zoom
                height: view.natural.height * view.zoom
                asynchronous: true
                smooth: view.zoom < 2
                source: viewer.opened && viewer.picture ? "image://pictures/" + viewer.picture.hash : ""
            }
            WheelHandler {
                target: null
                onWheel: event => view.zoomTo(view.zoom * Math.pow(1.0015, event.angleDelta.y), Qt.point(event.x, event.y))
            }
        }
        Rectangle {
            anchors.horizontalCenter: parent.horizontalCenter
            anchors.bottom: parent.bottom
            anchors.bottomMargin: Theme.large
            width: tools.width + 2 * Theme.small
            height: tools.height + 2 * Theme.small
            radius: Theme.cardRadius
            color: Theme.surface
            border.color: Theme.line
            Row {
                id: tools
                x: Theme.small
                y: Theme.small
                spacing: Theme.tiny
                Words {
                    anchors.verticalCenter: parent.verticalCenter
                    leftPadding: Theme.small
                    rightPadding: Theme.small
                    text: viewer.picture ? qsTr("%1 · %2 · %3 %").arg(viewer.picture.name).arg(Format.size(viewer.picture.size)).arg(Math.round(view.zoom * 100)) : ""
                }
                PushButton {
                    flatLook: true
                    text: qsTr("Fit")
                    onClicked: view.fit()
                }
                PushButton {
                    flatLook: true
                    text: qsTr("Actual size")
                    onClicked: view.zoomTo(1, Qt.point(view.width / 2, view.height / 2))
                }
                PushButton {
                    flatLook: true
                    text: qsTr("Close")
                    onClicked: viewer.close()
                }
            }
        }
    }
}
