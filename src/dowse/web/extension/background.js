// A click on the icon lets the extension see the page of this tab (activeTab), and opens the panel beside it.

chrome.action.onClicked.addListener((tab) => {
  // Both at once: the panel opens only while the click is being answered.
  chrome.sidePanel.setOptions({ tabId: tab.id, path: `panel.html?tab=${tab.id}`, enabled: true });
  chrome.sidePanel.open({ tabId: tab.id });
});
