/// Images of the built-in runtime: brought as files, kept below the home. Start at [ImageStore].
///
/// Always: an image that has a name is whole; who is killed leaves nothing that is used
/// (`ImageStoreTest`). Never: removes a layer from which a container runs (`ImageContainersTest`).
@NullMarked
package dev.berth.node.image;

import org.jspecify.annotations.NullMarked;
