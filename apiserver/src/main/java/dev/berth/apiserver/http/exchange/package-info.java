/// One HTTP request and its answer (spec/apiserver.md, sections 2 and 3): what it names, in which
/// form it comes and goes, what is refused before anything is looked up. Start at [Exchange].
///
/// Always: a body ends, is within its bound and comes in time (`HostileRequestsTest`).
@NullMarked
package dev.berth.apiserver.http.exchange;

import org.jspecify.annotations.NullMarked;
