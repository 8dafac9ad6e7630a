/// Whose turn it is when more is asked than can be done at once (spec/apiserver.md, API-135). Start
/// at [Seats]; [Work] is about processors.
///
/// Always: who waits gets the next seat before anybody who has had one meanwhile (`SeatsTest`); one
/// processor is left to what takes no seat, where there are several (`WorkTest`). Never: one user
/// on all seats (`SeatsTest`).
@NullMarked
package dev.berth.apiserver.rights.fair;

import org.jspecify.annotations.NullMarked;
