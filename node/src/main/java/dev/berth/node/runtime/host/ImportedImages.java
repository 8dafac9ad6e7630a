package dev.berth.node.runtime.host;

import dev.berth.linux.mount.Mounts;
import dev.berth.node.image.ImageName;
import dev.berth.node.image.ImageStore;
import dev.berth.node.image.ImageUse;
import dev.berth.node.image.StoredImage;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.layer.LayerStack;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ImageRequest;
import dev.berth.node.runtime.ImageRequest.Policy;
import dev.berth.node.runtime.Images;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.host.ContainerFolder.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The images that were imported for the containers of a node.
///
/// @param store where they are
/// @param option that says so to `berth image`, such as `--home /var/lib/berth`
public record ImportedImages(ImageStore store, String option) {
  /// What a container's root lies on, and what it runs on it.
  ///
  /// @param layers the topmost first; empty: the machine's own root
  record Root(ContainerSpec spec, List<Path> layers) {}

  /// Of a node's own root directory.
  public static ImportedImages of(Layout layout) {
    return new ImportedImages(
        new ImageStore(layout.root().resolve("images")), "--root-dir " + layout.root());
  }

  /// The containers of a node that run from images, or are about to.
  public static List<ImageUse> inUse(Layout layout) {
    return new ContainerFolders(layout, Mounts.ofThisMachine(), new DevicePolicy())
        .all().stream()
            .filter(folder -> !(folder.trace() instanceof Trace.Over))
            .flatMap(folder -> UsedImage.read(folder).map(used -> used.by(folder)).stream())
            .toList();
  }

  /// All that containers can be started from; `host` is no image that anybody could want to see.
  Images present() {
    try {
      return new Images(true, store.list().stream().map(ImportedImages::shown).toList());
    } catch (IOException broken) {
      throw new UncheckedIOException("read the images in " + store.folder(), broken);
    }
  }

  private static Images.Image shown(StoredImage image) {
    var names = new ArrayList<String>();
    for (var name : image.names()) {
      image.manifest().ifPresent(digest -> names.add(name.repository() + "@" + digest));
      names.add(name.toString());
    }
    return new Images.Image(names.stream().distinct().sorted().toList(), image.bytes());
  }

  /// Sees that the image is here. There is no registry to get it from, whatever the policy is.
  void require(ImageRequest wanted) throws RefusedException {
    if (find(wanted.name()).isEmpty()) throw missing(wanted.name(), wanted.policy());
  }

  /// Notes that the container uses its image, and says what it runs.
  Root use(ContainerSpec spec, ContainerFolder folder) throws RefusedException, IOException {
    var found = find(spec.image());
    if (found.isEmpty()) throw missing(spec.image(), Policy.NEVER);
    var image = found.get();
    UsedImage.of(image).writeTo(folder);
    // From here on nobody removes it; whoever did just before has been seen.
    if (store.image(image.id()).isEmpty()) throw missing(spec.image(), Policy.NEVER);
    var layers = image.layers().reversed().stream().map(store::layer).toList();
    try (var files = LayerStack.of(layers)) {
      return new Root(new ImagedSpec(spec, image.config(), Accounts.in(files)).whole(), layers);
    }
  }

  private Optional<StoredImage> find(String name) throws RefusedException {
    parse(name);
    try {
      return store.find(name);
    } catch (IOException broken) {
      throw new UncheckedIOException("read the images in " + store.folder(), broken);
    }
  }

  private static ImageName parse(String name) throws RefusedException {
    try {
      return ImageName.parse(name);
    } catch (BrokenImageException none) {
      throw new RefusedException(
          Reason.INVALID_IMAGE_NAME, String.valueOf(none.getMessage()), none);
    }
  }

  /// A digest is the image's own, and cannot be given to it.
  private RefusedException missing(String name, Policy policy) throws RefusedException {
    var never = policy == Policy.NEVER ? "" : "none is pulled here; ";
    var wanted = parse(name);
    var tag = wanted.tag().isEmpty() ? "latest" : wanted.tag();
    var which =
        wanted
            .digest()
            .map(it ->
                ", FILE being an OCI layout with the manifest %s, which docker save may not keep"
                    .formatted(it))
            .orElse("");
    return new RefusedException(
        Reason.ERR_IMAGE_NEVER_PULL,
        "image \"%s\" is not on the node: %sbring it with `berth image import FILE --name %s:%s %s`%s"
            .formatted(name, never, wanted.repository(), tag, option, which));
  }
}
