pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import PopLens

// A picture in full: zoom with wheel, pinch or + and -, pan by dragging or with the arrows.
T.Popup {
    id: viewer

    // sentPicture, and the markedPicture that it belongs to where an answer marks something in it.
    property var picture: null
    property var marked: null
    property bool marksShown: true
    signal marksToggled

    readonly property bool hasMarks: marked !== null

    function show(what: var): void {
        showIn(what, null);
    }
    function showMarked(what: var): void {
        showIn(what.picture, what);
    }
    function showIn(shown: var, marks: var): void {
        picture = shown;
        marked = marks;
        open();
        view.fit();
    }
    function describe(): string {
        if (!picture)
            return "";
        return hasMarks && marksShown ? qsTr("Picture %1 with %2").arg(picture.name).arg(marked.description) : qsTr("Picture %1").arg(picture.name);
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
                const x = contentX + around.x - image.x;
                const y = contentY + around.y - image.y;
                zoom = Math.max(fitting / 2, Math.min(16, value));
                contentX = Math.max(0, Math.min(contentWidth - width, image.x + x * zoom / old - around.x));
                contentY = Math.max(0, Math.min(contentHeight - height, image.y + y * zoom / old - around.y));
            }

            anchors.fill: parent
            focus: true
            contentWidth: Math.max(width, image.width)
            contentHeight: Math.max(height, image.height)
            boundsBehavior: Flickable.StopAtBounds
            clip: true
            activeFocusOnTab: true
            Accessible.role: Accessible.Graphic
            Accessible.name: viewer.describe()
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
                else if (event.key === Qt.Key_M && viewer.hasMarks)
                    viewer.marksToggled();
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
                id: image
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
        Lazy {
            active: viewer.hasMarks && viewer.marksShown
            MarkOverlay {
                id: marks
                objectName: "viewerMarks"
                anchors.fill: view
                marked: viewer.marked
                pictureRect: Qt.rect(image.x - view.contentX, image.y - view.contentY, image.width, image.height)
                labelSize: Theme.controlSize
                HoverHandler {
                    onPointChanged: marks.current = marks.markAt(point.position)
                    onHoveredChanged: if (!hovered)
                        marks.current = -1
                }
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
                    width: Math.min(implicitWidth, viewer.width * 0.4)
                    leftPadding: Theme.small
                    rightPadding: Theme.small
                    text: viewer.picture ? qsTr("%1 · %2 · %3 %").arg(viewer.picture.name).arg(Format.size(viewer.picture.size)).arg(Math.round(view.zoom * 100)) : ""
                }
                PushButton {
                    visible: viewer.hasMarks
                    flatLook: true
                    text: viewer.marksShown ? qsTr("Hide marks") : qsTr("Show marks")
                    hint: qsTr("Boxes and points of the answer (M)")
                    onClicked: viewer.marksToggled()
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
