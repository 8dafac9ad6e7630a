/// How an agent reads with a kubelet's rights, which are to get claims, volumes, attachments and
/// its CSINode one by one, and not to list or watch them. Start at [OneByOne].
@NullMarked
package dev.berth.node.access;

import org.jspecify.annotations.NullMarked;
