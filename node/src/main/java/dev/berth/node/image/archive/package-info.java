/// What an image comes in: an OCI layout or what `docker save` writes, as a folder or a tar file,
/// from whoever made it. Start at [Archive].
///
/// Always: a blob that is read to its end is the one that its digest names, or an exception
/// (`HostileImageTest`).
@NullMarked
package dev.berth.node.image.archive;

import org.jspecify.annotations.NullMarked;
