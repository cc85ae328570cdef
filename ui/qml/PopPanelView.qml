import QtQuick
import PopLens.Core

// The plan of the next question, and what it is likely to bring.
Flickable {
    id: panel

    required property PopPanel pop
    required property Chat chat

    contentHeight: content.height + 2 * Theme.large
    boundsBehavior: Flickable.StopAtBounds
    clip: true

    Column {
        id: content
        x: Theme.large
        y: Theme.large
        width: panel.width - 2 * Theme.large
        spacing: Theme.small

        Item {
            width: parent.width
            height: toggle.height
            Words {
                anchors.verticalCenter: parent.verticalCenter
                text: qsTr("Prefill-only pruning")
                strong: true
            }
            Toggle {
                id: toggle
                anchors.right: parent.right
                checked: panel.pop.on
                Accessible.name: qsTr("Prefill-only pruning")
                onToggled: panel.pop.on = checked
            }
        }

        Column {
            width: parent.width
            spacing: Theme.tiny
            enabled: panel.pop.on && panel.pop.layers > 0
            opacity: panel.pop.on ? 1 : 0.55

            Item {
                width: parent.width
                height: 24
                Words {
                    anchors.verticalCenter: parent.verticalCenter
                    secondary: true
                    text: qsTr("Layers pruned in the prefill")
                }
                Words {
                    anchors.right: parent.right
                    anchors.verticalCenter: parent.verticalCenter
                    strong: true
                    text: panel.pop.layers > 0 ? qsTr("%1 of %2").arg(panel.pop.depth).arg(panel.pop.layers) : "–"
                }
            }
            DepthSlider {
                width: parent.width
                layers: panel.pop.layers
                depth: panel.pop.depth
                onDepthMoved: depth => panel.pop.depth = depth
            }
            PanelRow {
                width: parent.width
                name: qsTr("First token, predicted")
                value: panel.pop.predictedMs > 0 ? Format.ms(panel.pop.predictedMs) : panel.pop.promptTokens > 0 ? qsTr("measuring …") : qsTr("with a picture")
                aside: panel.pop.predictedMs > 0 ? qsTr("(full %1)").arg(Format.figure(panel.pop.predictedFullMs)) : ""
            }
            PanelRow {
                width: parent.width
                name: qsTr("Prefill speed-up")
                value: Format.ratio(panel.pop.speedUp)
            }
            PanelRow {
                width: parent.width
                name: qsTr("Expected loss")
                value: panel.pop.measured ? Format.nats(panel.pop.expectedRise) : qsTr("not measured")
                aside: !panel.pop.measured ? "" : panel.pop.riseMeasured ? qsTr("(measured)") : qsTr("(estimated)")
            }
        }

        Row {
            spacing: Theme.small
            topPadding: Theme.tiny
            PushButton {
                text: qsTr("Auto")
                enabled: panel.pop.on && panel.pop.riseMeasured
                hint: panel.pop.riseMeasured ? qsTr("The deepest plan that was measured to cost at most %1").arg(Format.nats(panel.pop.mostRise))
                    : panel.pop.measured ? qsTr("Needs measured losses: measure on a conversation again")
                    : qsTr("Needs this model's importances")
                onClicked: panel.pop.chooseDepth()
            }
            Choice {
                enabled: panel.pop.on
                options: [qsTr("Question in full"), qsTr("Last token in full")]
                chosen: panel.pop.boundary
                hint: qsTr("What runs through every layer: all text after the last picture, or the last token alone")
                onPicked: index => panel.pop.boundary = index
            }
        }

        Item {
            width: parent.width
            height: allowed.height
            visible: panel.pop.riseMeasured
            enabled: panel.pop.on
            opacity: enabled ? 1 : 0.55
            Words {
                anchors.verticalCenter: parent.verticalCenter
                color: Theme.secondary
                text: qsTr("Auto allows a loss of")
                Accessible.ignored: true
            }
            Row {
                anchors.right: parent.right
                spacing: Theme.tiny
                NumberField {
                    id: allowed
                    width: 72
                    name: qsTr("Loss that Auto allows, in nats an answer")
                    value: panel.pop.mostRise
                    to: 1000
                    onChosen: value => panel.pop.mostRise = value
                }
                Words {
                    anchors.verticalCenter: parent.verticalCenter
                    color: Theme.secondary
                    text: qsTr("nats")
                    Accessible.ignored: true
                }
            }
        }

        Item {
            width: parent.width
            height: 40
            Words {
                anchors.verticalCenter: parent.verticalCenter
                text: qsTr("Importance by layer")
                strong: true
            }
            Words {
                anchors.right: parent.right
                anchors.verticalCenter: parent.verticalCenter
                visible: panel.pop.measured
                secondary: true
                text: panel.pop.importances.samples === 1 ? qsTr("this model, 1 sample") : qsTr("this model, %1 samples").arg(Format.integer(panel.pop.importances.samples))
            }
        }
        ImportanceChart {
            width: parent.width
            visible: panel.pop.measured
            importances: panel.pop.importances
            layers: panel.pop.layers
            depth: panel.pop.on ? panel.pop.depth : 0
            apart: parts.chosen === 1
        }
        Choice {
            id: parts
            visible: panel.pop.measured
            options: [qsTr("Whole layers"), qsTr("Attention and FFN apart")]
            hint: qsTr("What a bar stands for: a layer's two updates together, or each by itself")
            onPicked: index => chosen = index
        }
        Rectangle {
            width: parent.width
            height: empty.height + 2 * Theme.medium
            visible: !panel.pop.measured
            radius: Theme.controlRadius
            color: Theme.sunken
            Words {
                id: empty
                x: Theme.medium
                y: Theme.medium
                width: parent.width - 2 * Theme.medium
                wrapMode: Text.Wrap
                color: Theme.secondary
                text: panel.pop.importances.error !== "" ? panel.pop.importances.error
                    : qsTr("Nothing has been measured of this model yet. Importances say what each layer does for the answer while the prompt is read in, and while the answer is written.")
            }
        }

        Row {
            spacing: Theme.small
            PushButton {
                text: panel.pop.measuring ? qsTr("Cancel") : qsTr("Measure on this conversation")
                enabled: panel.pop.measuring || (panel.chat.messages.count > 1 && !panel.chat.running)
                hint: qsTr("Computes what each layer does for the answers above, and keeps it for this model")
                onClicked: panel.pop.measuring ? panel.pop.stopMeasuring() : panel.chat.measureImportances()
            }
            Words {
                visible: panel.pop.measuring
                height: Theme.controlHeight
                secondary: true
                text: qsTr("measuring, %1 %").arg(panel.pop.measuredPercent)
            }
        }
        Words {
            width: parent.width
            visible: text !== ""
            wrapMode: Text.Wrap
            color: Theme.error
            text: panel.pop.measureError
        }

        PicturePanel {
            width: parent.width
            attachments: panel.chat.attachments
        }
    }
}
