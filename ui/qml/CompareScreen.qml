pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Dialogs
import QtQuick.Layouts
import PopLens.Core

// One question, two answers: the full model's and POP's.
FocusScope {
    id: screen
    objectName: "comparePage"

    required property Compare compare
    required property int layers
    signal pictureOpened(var picture)
    signal linkAsked(string link)
    signal chatAsked

    property bool exporting: false
    readonly property real columnWidth: Math.min(1040, width - 2 * Theme.huge)

    function run(): void {
        if (compare.running)
            compare.stop();
        else
            compare.start();
    }

    Keys.onEscapePressed: event => {
        event.accepted = compare.running;
        if (compare.running)
            compare.stop();
    }

    Flickable {
        id: scroll
        anchors.fill: parent
        contentHeight: page.height
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        visible: screen.compare.hasQuestion
        ScrollBar.vertical: ScrollBar {}

        Rectangle {
            id: page
            x: (scroll.width - width) / 2
            width: screen.columnWidth + 2 * Theme.huge
            height: content.height + 2 * 20
            color: Theme.background

            Column {
                id: content
                x: Theme.huge
                y: 20
                width: screen.columnWidth
                spacing: 14

                RowLayout {
                    width: parent.width
                    spacing: Theme.medium

                    PictureThumb {
                        Layout.preferredWidth: 96
                        Layout.preferredHeight: 72
                        visible: screen.compare.pictures.length > 0
                        picture: screen.compare.pictures[0] ?? ({ hash: "", name: "" })
                        onOpened: screen.pictureOpened(picture)
                    }
                    Column {
                        Layout.fillWidth: true
                        spacing: Theme.tiny
                        Words {
                            width: parent.width
                            text: screen.compare.question
                            font.pixelSize: Theme.titleSize
                            strong: true
                            maximumLineCount: 2
                            wrapMode: Text.Wrap
                        }
                        Words {
                            width: parent.width
                            secondary: true
                            maximumLineCount: 2
                            wrapMode: Text.Wrap
                            text: screen.describe(screen.compare.pictures, screen.compare.method)
                        }
                        Words {
                            width: parent.width
                            visible: screen.compare.running
                            secondary: true
                            text: screen.compare.caption
                        }
                    }
                    PushButton {
                        id: runButton
                        primary: true
                        focus: true
                        visible: !screen.exporting
                        text: screen.compare.running ? qsTr("Stop") : screen.compare.done ? qsTr("Run again") : qsTr("Compare")
                        hint: screen.compare.running ? qsTr("Stop the comparison (Esc)") : qsTr("Answer the question with both")
                        onClicked: screen.run()
                    }
                }

                Flow {
                    width: parent.width
                    spacing: Theme.small
                    visible: !screen.exporting
                    enabled: !screen.compare.running
                    Choice {
                        readonly property var counts: [1, 3, 5, 10]
                        prefix: qsTr("Runs each:")
                        options: counts.map(count => Format.integer(count))
                        chosen: Math.max(0, counts.indexOf(screen.compare.runs))
                        hint: qsTr("Measured runs of each, after one that warms up; figures are their medians")
                        onPicked: index => screen.compare.runs = counts[index]
                    }
                    Choice {
                        visible: screen.compare.pictures.length > 0
                        prefix: qsTr("Pictures:")
                        options: [qsTr("encoded in every run"), qsTr("encoded once, shared")]
                        chosen: screen.compare.shareFeatures ? 1 : 0
                        hint: qsTr("Whether the vision encoder's time counts, or both sides begin from its features")
                        onPicked: index => screen.compare.shareFeatures = index === 1
                    }
                }

                Rectangle {
                    width: parent.width
                    height: message.height + 2 * Theme.medium
                    visible: screen.compare.error !== ""
                    radius: Theme.cardRadius
                    color: Theme.surface
                    border.color: Theme.error
                    Accessible.role: Accessible.AlertMessage
                    Accessible.name: screen.compare.error
                    Words {
                        id: message
                        x: Theme.medium
                        y: Theme.medium
                        width: parent.width - 2 * Theme.medium
                        wrapMode: Text.Wrap
                        text: screen.compare.error
                    }
                }

                Grid {
                    id: sides
                    readonly property real cardWidth: columns === 2 ? (width - columnSpacing) / 2 : width
                    readonly property real cardHeight: columns === 2 ? Math.max(full.implicitHeight, pop.implicitHeight) : 0

                    width: parent.width
                    columns: width >= 520 ? 2 : 1
                    columnSpacing: 14
                    rowSpacing: 14

                    ComparedAnswer {
                        id: full
                        width: sides.cardWidth
                        height: Math.max(implicitHeight, sides.cardHeight)
                        side: screen.compare.full
                        title: qsTr("Full model")
                        detail: screen.layers > 0 ? qsTr("%1 layers").arg(screen.layers) : ""
                        scaleMs: screen.compare.scaleMs
                        done: screen.compare.done
                        onLinkAsked: link => screen.linkAsked(link)
                    }
                    ComparedAnswer {
                        id: pop
                        readonly property int depth: screen.compare.done ? side.figures.prunedLayers : screen.compare.depth
                        width: sides.cardWidth
                        height: Math.max(implicitHeight, sides.cardHeight)
                        side: screen.compare.pop
                        title: qsTr("POP")
                        detail: screen.layers > 0 ? qsTr("%1 of %2 pruned in the prefill").arg(depth).arg(screen.layers) : ""
                        scaleMs: screen.compare.scaleMs
                        done: screen.compare.done
                        onLinkAsked: link => screen.linkAsked(link)
                    }
                }

                Rectangle {
                    width: parent.width
                    height: result.height + 2 * 14
                    visible: screen.compare.done
                    radius: Theme.cardRadius
                    color: Theme.surface
                    border.color: Theme.line

                    Column {
                        id: result
                        x: 14
                        y: 14
                        width: parent.width - 2 * x
                        spacing: Theme.small

                        Item {
                            width: parent.width
                            height: Math.max(figures.height, exporter.height)
                            Flow {
                                id: figures
                                width: parent.width - (exporter.visible ? exporter.width + Theme.medium : 0)
                                spacing: 28
                                Figure {
                                    name: qsTr("Sooner by")
                                    value: Format.ratio(screen.compare.ttftRatio)
                                }
                                Figure {
                                    name: qsTr("Prefill alone")
                                    value: Format.ratio(screen.compare.prefillRatio)
                                }
                                Figure {
                                    name: screen.compare.same ? qsTr("Same answer") : qsTr("Same text for")
                                    value: Format.tokens(screen.compare.sameTokens)
                                }
                                Figure {
                                    name: qsTr("First token, KL")
                                    value: qsTr("%1 nats").arg(Number(screen.compare.kl).toLocaleString(Qt.locale(), "f", 4))
                                }
                            }
                            ActionsButton {
                                id: exporter
                                anchors.right: parent.right
                                anchors.verticalCenter: parent.verticalCenter
                                text: qsTr("Export ▾")
                                actions: [qsTr("As JSON …"), qsTr("As CSV …"), qsTr("As a picture …")]
                                visible: !screen.exporting
                                hint: qsTr("Write these figures, and the sweep's, to a file")
                                onPicked: index => saveDialog.ask(index)
                            }
                        }
                        Words {
                            width: parent.width
                            secondary: true
                            wrapMode: Text.Wrap
                            text: screen.compare.same ? qsTr("Both answers are the same, word for word.")
                                                      : qsTr("The answers part at token %1; from there on the passage is underlined in both.").arg(Format.integer(screen.compare.sameTokens + 1))
                        }
                        Words {
                            width: parent.width
                            visible: text !== "" && !screen.exporting
                            secondary: true
                            wrapMode: Text.Wrap
                            text: screen.compare.exported
                            Accessible.role: Accessible.AlertMessage
                        }
                    }
                }

                Rectangle {
                    width: parent.width
                    height: sweep.height + 2 * 14
                    visible: screen.exporting && screen.compare.sweep.count > 0
                    radius: Theme.cardRadius
                    color: Theme.surface
                    border.color: Theme.line
                    SweepChart {
                        id: sweep
                        x: 14
                        y: 14
                        width: parent.width - 2 * x
                        sweep: screen.compare.sweep
                    }
                }
            }
        }
    }

    function describe(pictures: var, method: string): string {
        const parts = pictures.map(picture => qsTr("%1 · %2").arg(picture.name).arg(Format.tokens(picture.tokens)));
        parts.push(method !== "" ? method : qsTr("the same seed and settings for both"));
        return parts.join(" · ");
    }

    Column {
        anchors.centerIn: parent
        width: Math.min(420, parent.width - 2 * Theme.huge)
        spacing: Theme.medium
        visible: !screen.compare.hasQuestion
        Words {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: qsTr("Nothing to compare yet")
            font.pixelSize: Theme.titleSize
            strong: true
        }
        Words {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            wrapMode: Text.Wrap
            color: Theme.secondary
            text: qsTr("Write a question in the chat, with a picture or without. Here it is answered twice, by the full model and with prefill-only pruning, side by side.")
        }
        PushButton {
            anchors.horizontalCenter: parent.horizontalCenter
            primary: true
            text: qsTr("Write a question")
            onClicked: screen.chatAsked()
        }
    }

    FileDialog {
        id: saveDialog

        property int kind: 0
        function ask(index: int): void {
            kind = index;
            open();
        }

        title: qsTr("Export the comparison")
        fileMode: FileDialog.SaveFile
        defaultSuffix: ["json", "csv", "png"][kind]
        nameFilters: [[qsTr("JSON (*.json)"), qsTr("CSV (*.csv)"), qsTr("Pictures (*.png)")][kind]]
        onAccepted: {
            if (kind === 2)
                screen.grabTo(selectedFile);
            else
                screen.compare.exportTo(selectedFile);
        }
    }

    // The page without its controls and with the sweep, in twice its size.
    function grabTo(file: url): void {
        exporting = true;
        grabber.file = file;
        grabber.start();
    }
    Timer {
        id: grabber
        property url file
        // For what has just come into sight to be painted.
        interval: 200
        onTriggered: page.grabToImage(result => {
            screen.exporting = false;
            screen.compare.exportPicture(file, result.image);
        }, Qt.size(page.width * 2, page.height * 2))
    }
}
