/// Which objects a list or a watch shows: label and field selectors as they stand in a query
/// (spec/apiserver.md, section 10). Start at [Selection].
@NullMarked
package dev.berth.apiserver.core.select;

import org.jspecify.annotations.NullMarked;
