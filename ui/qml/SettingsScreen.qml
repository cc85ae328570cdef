pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import PopLens.Core

// What holds for the conversation that is open, for new ones, and for the program.
FocusScope {
    id: screen

    required property Settings settings
    required property Chat chat
    required property ConversationSettings conversation
    required property string dataFolder

    readonly property int longest: 65536

    Flickable {
        id: scroll
        anchors.fill: parent
        contentHeight: page.height + 2 * Theme.huge
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        ScrollBar.vertical: ScrollBar {}

        // What the keyboard moves to is brought into sight.
        function reveal(item: Item): void {
            if (!item || !screen.activeFocus)
                return;
            const y = item.mapToItem(contentItem, 0, 0).y;
            if (y < contentY + Theme.huge)
                contentY = Math.max(0, y - 3 * Theme.huge);
            else if (y + item.height > contentY + height - Theme.huge)
                contentY = Math.min(Math.max(0, contentHeight - height), y + item.height - height + 3 * Theme.huge);
        }
        readonly property Item focused: screen.Window.window ? screen.Window.window.activeFocusItem : null
        onFocusedChanged: reveal(focused)

        Column {
            id: page
            x: (scroll.width - width) / 2
            y: Theme.huge
            width: Math.min(640, scroll.width - 2 * Theme.huge)
            spacing: Theme.huge

            SettingGroup {
                width: parent.width
                title: qsTr("This conversation")
                detail: screen.chat.title !== "" ? screen.chat.title : qsTr("The one that begins with your next question")

                Column {
                    width: parent.width
                    topPadding: Theme.small
                    bottomPadding: Theme.small
                    spacing: Theme.small
                    Words {
                        text: qsTr("System prompt")
                    }
                    LongField {
                        width: parent.width
                        name: qsTr("System prompt")
                        placeholder: qsTr("What the model is told before your first question, for example: Answer in one sentence.")
                        value: screen.chat.system
                        onChosen: text => screen.chat.system = text
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Temperature")
                    detail: qsTr("0 always takes the likeliest token; higher is more varied")
                    NumberField {
                        name: qsTr("Temperature")
                        value: screen.conversation.temperature
                        to: 5
                        onChosen: value => screen.conversation.temperature = value
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Top-p")
                    detail: qsTr("Only the likeliest tokens that together have this share; 1 is off")
                    enabled: screen.conversation.temperature > 0
                    opacity: enabled ? 1 : 0.55
                    NumberField {
                        name: qsTr("Top-p")
                        value: screen.conversation.topP
                        onChosen: value => screen.conversation.topP = value
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Top-k")
                    detail: qsTr("Only so many of the likeliest tokens; 0 is off")
                    enabled: screen.conversation.temperature > 0
                    opacity: enabled ? 1 : 0.55
                    NumberField {
                        name: qsTr("Top-k")
                        value: screen.conversation.topK
                        to: 1000000
                        decimals: 0
                        onChosen: value => screen.conversation.topK = value
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Min-p")
                    detail: qsTr("Only tokens at least this likely beside the likeliest; 0 is off")
                    enabled: screen.conversation.temperature > 0
                    opacity: enabled ? 1 : 0.55
                    NumberField {
                        name: qsTr("Min-p")
                        value: screen.conversation.minP
                        onChosen: value => screen.conversation.minP = value
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Repetition penalty")
                    detail: qsTr("Above 1, tokens that stand there already become less likely")
                    NumberField {
                        name: qsTr("Repetition penalty")
                        value: screen.conversation.repetitionPenalty
                        from: 0.01
                        to: 10
                        onChosen: value => screen.conversation.repetitionPenalty = value
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Seed")
                    detail: qsTr("The same seed, question and settings give the same answer")
                    Field {
                        id: seedField
                        implicitWidth: 160
                        horizontalAlignment: TextInput.AlignRight
                        text: screen.conversation.seed
                        validator: RegularExpressionValidator {
                            regularExpression: /\d{1,19}/
                        }
                        Accessible.name: qsTr("Seed")
                        onEditingFinished: screen.conversation.seed = text
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Longest answer")
                    detail: qsTr("In tokens")
                    NumberField {
                        name: qsTr("Longest answer, in tokens")
                        value: screen.conversation.maxTokens
                        from: 1
                        to: screen.longest
                        decimals: 0
                        onChosen: value => screen.conversation.maxTokens = value
                    }
                }
                SettingRow {
                    width: parent.width
                    visible: screen.conversation.own
                    name: qsTr("Settings of its own")
                    detail: qsTr("Other than what new conversations begin with")
                    PushButton {
                        text: qsTr("Set back")
                        hint: qsTr("Take what new conversations begin with")
                        onClicked: screen.conversation.reset()
                    }
                }
            }

            SettingGroup {
                width: parent.width
                title: qsTr("New conversations")
                SettingRow {
                    width: parent.width
                    name: qsTr("Temperature")
                    NumberField {
                        name: qsTr("Temperature of new conversations")
                        value: screen.settings.temperature
                        to: 5
                        onChosen: value => screen.settings.temperature = value
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Longest answer")
                    detail: qsTr("In tokens")
                    NumberField {
                        name: qsTr("Longest answer of new conversations, in tokens")
                        value: screen.settings.maxTokens
                        from: 1
                        to: screen.longest
                        decimals: 0
                        onChosen: value => screen.settings.maxTokens = value
                    }
                }
            }

            SettingGroup {
                width: parent.width
                title: qsTr("Program")
                SettingRow {
                    width: parent.width
                    name: qsTr("Look")
                    Choice {
                        options: [qsTr("As the desktop"), qsTr("Light"), qsTr("Dark")]
                        chosen: screen.settings.scheme
                        hint: qsTr("Colours of the program")
                        onPicked: index => screen.settings.scheme = index
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Read pictures while you type")
                    detail: qsTr("Encoding and prefill of a picture begin when it is attached, so that less is left to do after sending")
                    Toggle {
                        checked: screen.settings.prefillAhead
                        Accessible.name: qsTr("Read pictures while you type")
                        onToggled: screen.settings.prefillAhead = checked
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Threads")
                    detail: qsTr("Processor threads that calculate; holds from the next time a model is loaded")
                    Choice {
                        readonly property var counts: [0, 1, 2, 4, 6, 8, 12, 16, 24, 32, 64]
                        options: counts.map(count => count === 0 ? qsTr("as many as there are cores") : Format.integer(count))
                        chosen: Math.max(0, counts.indexOf(screen.settings.threads))
                        hint: qsTr("Processor threads")
                        onPicked: index => screen.settings.threads = counts[index]
                    }
                }
                SettingRow {
                    width: parent.width
                    name: qsTr("Conversations and pictures")
                    detail: qsTr("Kept on this machine only, in %1").arg(screen.dataFolder)
                    PushButton {
                        text: qsTr("Show folder")
                        onClicked: Qt.openUrlExternally("file://" + screen.dataFolder)
                    }
                }
            }

            SettingGroup {
                width: parent.width
                title: qsTr("Keyboard")
                Repeater {
                    model: [
                        { name: qsTr("New conversation"), keys: qsTr("Ctrl N") },
                        { name: qsTr("Search conversations"), keys: qsTr("Ctrl F") },
                        { name: qsTr("Choose pictures"), keys: qsTr("Ctrl O") },
                        { name: qsTr("Paste a picture"), keys: qsTr("Ctrl V") },
                        { name: qsTr("Take a picture of the screen"), keys: qsTr("Ctrl Shift S") },
                        { name: qsTr("Send, or a new line"), keys: qsTr("Enter, Shift Enter") },
                        { name: qsTr("Stop"), keys: qsTr("Esc") },
                        { name: qsTr("Read up and down the conversation"), keys: qsTr("Page Up, Page Down") },
                        { name: qsTr("Export the conversation"), keys: qsTr("Ctrl E") },
                        { name: qsTr("Marks in the full picture"), keys: qsTr("M") },
                        { name: qsTr("Chat, compare, models, settings"), keys: qsTr("Alt 1 to Alt 4") },
                        { name: qsTr("Fold the conversations away"), keys: qsTr("Ctrl B") },
                        { name: qsTr("Fold the panel away"), keys: qsTr("F9") },
                        { name: qsTr("Quit"), keys: qsTr("Ctrl Q") }
                    ]
                    delegate: PanelRow {
                        required property var modelData
                        width: parent ? parent.width : 0
                        implicitHeight: 30
                        name: modelData.name
                        value: modelData.keys
                    }
                }
            }
        }
    }
}
