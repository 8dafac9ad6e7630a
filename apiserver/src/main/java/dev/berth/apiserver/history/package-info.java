/// What was written in the last minutes, packed on disk: for who resumes a watch, or lists what
/// was, on a kind that writes more than is kept in memory (API-63). Start at [History].
///
/// Always: what cannot be read any more is said to be gone, so that who asks lists anew
/// (`HistoryTest`). Never: a file that another start would find (`HistoryTest`).
@NullMarked
package dev.berth.apiserver.history;

import org.jspecify.annotations.NullMarked;
