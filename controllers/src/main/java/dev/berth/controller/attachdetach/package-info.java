/// Attaches volumes to the nodes whose pods use them, and detaches them when nobody does
/// (spec/control-plane.md, section 7). Start at [AttachDetach].
///
/// Decisions are made per volume, so that what is written about one volume has one order: for a
/// detach first the node's `volumesAttached`, then a live look at its `volumesInUse`, then the
/// attachment's deletion (AD-33 to AD-35). The node's agent does the same from its side (AD-63), so
/// that no device goes while it is mounted.
///
/// Always: a volume that may be on one node only is asked for on the next when the attachment to
/// the last is gone (`AttachmentDecisionTest`, AD-22). Never: calls a driver, which is the
/// attacher's (`RoomsArchitectureTest`); touches attachments of nodes that see to their own
/// (AD-51), or those of other authors (AD-52).
///
/// Deliberately absent: memory of what is attached. It is in the attachments, in the nodes' status
/// and in the annotation that dates a detach (AD-31), so a restart changes no decision (AD-65).
@NullMarked
package dev.berth.controller.attachdetach;

import org.jspecify.annotations.NullMarked;
