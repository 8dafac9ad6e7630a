/// Tokens of the service accounts that this node's pods run as, for their volumes and for drivers
/// (NCSI-09, NRUN-05). Start at [PodTokens].
///
/// Always: a token is handed out only while it has a fifth of its life left, unless no other is to
/// be had (`PodTokensTest`). Never: on disk, in a text or in a log (`PodTokensTest`).
@NullMarked
package dev.berth.node.token;

import org.jspecify.annotations.NullMarked;
