import QtQuick
import PopLens.Core

// One block of an answer's Markdown, to be read and selected.
TextEdit {
    id: block

    required property string markdown
    signal linkAsked(string link)

    readOnly: true
    selectByMouse: true
    wrapMode: TextEdit.Wrap
    textFormat: TextEdit.RichText
    text: Markdown.render(markdown, Theme.accent, Theme.sunken, Theme.line)
    font.pixelSize: Theme.textSize
    color: Theme.text
    selectionColor: Theme.accent
    selectedTextColor: Theme.accentText
    activeFocusOnTab: false
    onLinkActivated: link => linkAsked(link)
    Accessible.role: Accessible.StaticText
    Accessible.name: markdown

    HoverHandler {
        cursorShape: block.hoveredLink !== "" ? Qt.PointingHandCursor : Qt.IBeamCursor
    }
}
