/// What `kubectl get` prints: objects as the columns that upstream's printers have (spec/
/// apiserver.md, section 15). Start at [Tables].
///
/// Always: names, order and text of the columns are upstream's, since scripts cut them apart
/// (`TablesTest`). Never: a column of our own (API-132, `TablesTest`).
@NullMarked
package dev.berth.apiserver.table;

import org.jspecify.annotations.NullMarked;
