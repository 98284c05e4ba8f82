// A page opened as a file has no modules: browsers load them from web servers only. This script is none, so it can lead on.

if (location.protocol === 'file:') location.replace(`dab.html${location.hash}`);
