package dev.berth.node.image.layer;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tree.Marks;
import dev.berth.linux.tree.Marks.Bytes;
import dev.berth.linux.tree.NewTree;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Room;
import dev.berth.node.image.archive.TarEntry;
import dev.berth.node.image.archive.TarReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Unpacks a layer into a folder: a tar archive in which `.wh.NAME` says that NAME of a lower layer
/// is gone, and `.wh..wh..opq` that all of a folder is (OCI image specification, layer.md). The
/// names in it are whatever its author wrote.
///
/// Device files are left out: containers have those of their pod's, and to an overlay some of them
/// say that a file is gone.
public final class LayerWriter implements AutoCloseable {
  private static final String GONE = ".wh.";
  private static final String ALL_GONE = ".wh..wh..opq";
  private static final String OF_OLD_DRIVERS = ".wh..wh.";

  /// What nobody has said.
  private static final Marks PLAIN = new Marks(0755, 0, 0, Instant.EPOCH, Map.of());

  private final LayerStack stack;
  private final NewTree tree;

  /// Folders get their times last: each file that is made in them changes it.
  private final Map<String, Instant> times = new LinkedHashMap<>();

  /// Where files of lower layers, by their paths, have been copied to, as far as they are there
  /// still.
  private final Map<String, String> copies = new HashMap<>();

  private final Room room;

  private LayerWriter(LayerStack stack, Room room) {
    this.stack = stack;
    this.tree = stack.top();
    this.room = room;
  }

  /// @param folder empty
  /// @param lower the layers below, the topmost first
  /// @param room for what the archive itself does not hold
  public static LayerWriter into(Path folder, List<Path> lower, Room room) {
    return new LayerWriter(
        LayerStack.of(Stream.concat(Stream.of(folder), lower.stream()).toList()), room);
  }

  /// Unpacks all of an archive.
  ///
  /// @throws BrokenImageException it cannot be, and why; the folder holds some of it
  public void unpack(TarReader archive) throws IOException {
    try {
      for (var entry = archive.next(); entry.isPresent(); entry = archive.next())
        unpack(entry.get(), archive);
      times.forEach((path, modified) -> {
        if (tree.find(path).filter(FileStatus::isDirectory).isPresent()) tree.touch(path, modified);
      });
    } catch (LinuxException refused) {
      throw new BrokenImageException(words(refused));
    }
  }

  private static String words(LinuxException refused) {
    var said = "the image cannot be unpacked: " + refused.getMessage();
    return refused.failure() instanceof Failure.Full ? said + "; make room there" : said;
  }

  private void unpack(TarEntry entry, TarReader archive) throws IOException {
    var path = inside(entry.name());
    if (path.isEmpty()) return; // the root itself
    int slash = path.lastIndexOf('/');
    var name = path.substring(slash + 1);
    var folder = stack.resolve(slash < 0 ? "" : path.substring(0, slash));
    if (name.equals(ALL_GONE)) {
      if (!folder.isEmpty()) {
        makeFolder(folder);
        tree.makeOpaque(folder);
      }
      return;
    }
    if (name.startsWith(OF_OLD_DRIVERS)) return;
    makeFolder(folder);
    if (name.startsWith(GONE)) whiteOut(at(folder, gone(entry, name)));
    else make(at(folder, name), entry, archive);
  }

  private static String gone(TarEntry entry, String name) throws BrokenImageException {
    var gone = name.substring(GONE.length());
    if (gone.isEmpty() || gone.equals(".") || gone.equals("..")) throw leadsOut(entry.name());
    return gone;
  }

  private static String at(String folder, String name) {
    return folder.isEmpty() ? name : folder + "/" + name;
  }

  /// As it stands below the root of the layer: a slash before it is none of the machine's.
  private static String inside(String name) throws BrokenImageException {
    var parts = name.split("/", -1);
    var path = new StringBuilder();
    for (var part : parts) {
      if (part.isEmpty() || part.equals(".")) continue;
      if (part.equals("..")) throw leadsOut(name);
      if (part.length() > 255)
        throw new BrokenImageException(
            "the image has a name of more than 255 bytes: "
                + NewTree.shown(part.substring(0, 60))
                + "…");
      if (!path.isEmpty()) path.append('/');
      path.append(part);
    }
    return path.toString();
  }

  private static BrokenImageException leadsOut(String name) {
    return new BrokenImageException(
        "the image is refused: it names a file with .., which may lead out of it: "
            + NewTree.shown(name));
  }

  /// It hides what is below, and not what this layer itself has there.
  private void whiteOut(String path) {
    var here = tree.find(path);
    if (here.isEmpty()) tree.whiteOut(path);
    else if (here.get().isDirectory()) tree.makeOpaque(path);
  }

  private void make(String path, TarEntry entry, TarReader archive) throws IOException {
    var marks = marks(entry);
    if (entry.kind() == TarEntry.Kind.DEVICE) return;
    var here = tree.find(path);
    boolean gone = here.filter(NewTree::isWhiteOut).isPresent();
    if (entry.kind() == TarEntry.Kind.FOLDER) {
      if (here.isPresent() && !here.get().isDirectory()) remove(path);
      tree.folder(path, marks);
      if (gone) tree.makeOpaque(path);
      times.put(path, entry.modified());
      return;
    }
    if (entry.kind() == TarEntry.Kind.HARD_LINK) {
      hardLink(path, entry, here);
      return;
    }
    if (here.isPresent()) remove(path);
    switch (entry.kind()) {
      case FILE -> tree.file(path, marks, archive::copyTo);
      case LINK -> tree.link(path, target(entry), marks);
      case PIPE -> tree.pipe(path, marks);
      case FOLDER, HARD_LINK, DEVICE -> throw new IllegalStateException("done above");
    }
  }

  private static String target(TarEntry entry) throws BrokenImageException {
    if (entry.target().isEmpty())
      throw new BrokenImageException(
          "the image has a link that leads nowhere: " + NewTree.shown(entry.name()));
    return entry.target();
  }

  /// To a file of a lower layer none can be made: its content is copied, once, which the container
  /// does not notice.
  private void hardLink(String path, TarEntry entry, Optional<FileStatus> here) throws IOException {
    var target = inside(entry.target());
    int slash = target.lastIndexOf('/');
    var existing =
        at(stack.resolve(slash < 0 ? "" : target.substring(0, slash)), target.substring(slash + 1));
    if (existing.equals(path)) return;
    var seen = stack.look(existing);
    if (seen.isEmpty() || seen.get().status().isDirectory())
      throw new BrokenImageException(
          "the image has a hard link %s to %s, which is no file of it"
              .formatted(NewTree.shown(entry.name()), NewTree.shown(entry.target())));
    if (here.isPresent()) remove(path);
    if (seen.get().layer() == 0) {
      tree.hardLink(path, existing);
      return;
    }
    var copy = copies.get(existing);
    if (copy != null) {
      tree.hardLink(path, copy);
      return;
    }
    if (!seen.get().status().isRegularFile())
      throw new BrokenImageException(
          "the image has a hard link %s to what is no regular file"
              .formatted(NewTree.shown(entry.name())));
    room.take(seen.get().status().size());
    try (InputStream content = stack.content(seen.get(), existing)) {
      tree.file(path, stack.marks(seen.get(), existing), content::transferTo);
    }
    copies.put(existing, path);
  }

  /// With all that is below it; copies may be among that.
  private void remove(String path) {
    copies.clear();
    tree.remove(path);
  }

  /// With all folders above it: what a lower layer has there shows through, and so does whose it
  /// is.
  private void makeFolder(String path) throws BrokenImageException {
    if (path.isEmpty()) return;
    var here = tree.find(path);
    if (here.filter(FileStatus::isDirectory).isPresent()) return;
    int slash = path.lastIndexOf('/');
    if (slash >= 0) makeFolder(path.substring(0, slash));
    var seen = stack.look(path);
    boolean gone = here.filter(NewTree::isWhiteOut).isPresent();
    if (here.isPresent() && !gone)
      throw new BrokenImageException(
          "the image has files below %s, which is no folder".formatted(NewTree.shown(path)));
    if (gone) tree.remove(path);
    boolean below = seen.isPresent() && seen.get().status().isDirectory();
    tree.folder(path, below ? stack.marks(seen.get(), path) : PLAIN);
    if (gone) tree.makeOpaque(path);
    if (below) times.put(path, stack.marks(seen.get(), path).modified());
  }

  /// Of extended attributes only what programs may do by their files: others are the kernel's own
  /// file systems' to act upon, or nobody's.
  private static Marks marks(TarEntry entry) {
    var capability = entry.attributes().get(TarEntry.CAPABILITY);
    var extended =
        capability == null || entry.kind() != TarEntry.Kind.FILE
            ? Map.<String, Bytes>of()
            : Map.of(TarEntry.CAPABILITY, new Bytes(hex(capability)));
    return new Marks(entry.mode(), entry.user(), entry.group(), entry.modified(), extended);
  }

  private static String hex(String bytes) {
    return HexFormat.of().formatHex(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() {
    stack.close();
  }
}
