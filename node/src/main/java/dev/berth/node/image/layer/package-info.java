/// Layers of images, each in a folder of its own, as overlays take them. Start at [LayerWriter].
///
/// Never: is anything made, read or removed outside of a layer's folder, whatever the names and
/// links of an image are (`HostileImageTest`).
@NullMarked
package dev.berth.node.image.layer;

import org.jspecify.annotations.NullMarked;
