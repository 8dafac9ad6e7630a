/// Objects as Kubernetes' protobuf (API-16), over the one table of fields that JSON is read by: a
/// message is a structure, whatever its kind. Start at [Protobuf].
///
/// Always: what is written reads as what it was (`RandomObjectsTest`); what upstream wrote reads as
/// its JSON does (`RecordedObjectsTest`); hostile bytes are refused before they take more than
/// their own size many times over (`HostileBytesTest`).
@NullMarked
package dev.berth.apiserver.proto;

import org.jspecify.annotations.NullMarked;
