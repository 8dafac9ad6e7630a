package dev.berth.node.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.berth.linux.file.FileStatus;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.TarReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// Small images that ask for much: of the disk, of memory, of time.
@EnabledIf(
    value = "dev.berth.node.testing.Scratch#containersOnDisks",
    disabledReason = "needs root, which owners and whiteouts need")
class HostileLayersTest {
  private static final int MIB = 1 << 20;
  private static final long ROOM = 4 * MIB;

  @TempDir private Path folder;
  private ImageStore store;

  @BeforeEach
  void open() {
    store = new ImageStore(folder.resolve("images"));
  }

  private StoredImage bring(byte[]... layers) throws IOException {
    var image = new TestImage();
    for (var layer : layers) image.layer(layer);
    var file = image.tar(folder.resolve("image.tar"), "");
    try (var writer = ImageStoreWriter.open(store, List::of)) {
      return new ImageImport(writer, TestImage.MACHINE, ROOM)
          .run(file, List.of(ImageName.parse("x:1")))
          .getFirst();
    }
  }

  private Path top(StoredImage image) {
    return store.layer(image.layers().getLast());
  }

  /// Each needs 512 bytes in the image, and as many on the disk as what it leads to.
  @Test
  void linksToALowerLayerNeedRoomForWhatIsCopied() {
    var lower = new TestTar();
    var upper = new TestTar();
    for (int i = 0; i < 10; i++) {
      lower.file("file-" + i, 0644, new byte[MIB / 4]);
      upper.hardLink("link-" + i, "file-" + i);
    }
    assertThatThrownBy(() -> bring(lower.bytes(), upper.bytes()))
        .isInstanceOf(BrokenImageException.class)
        .hasMessageContaining("too little is left for others");
    assertThat(store.folder().resolve("work")).as("the half layer").isEmptyDirectory();
    assertThat(store.folder().resolve("layers")).isEmptyDirectory();
  }

  /// As they are in the image.
  @Test
  void linksToOneFileOfALowerLayerAreOneFile() throws Exception {
    var upper = new TestTar();
    for (int i = 0; i < 100; i++) upper.hardLink("link-" + i, "file");
    var image = bring(new TestTar().file("file", 0644, new byte[MIB]).bytes(), upper.bytes());
    assertThat(FileStatus.of(top(image).resolve("link-99")).inode())
        .isEqualTo(FileStatus.of(top(image).resolve("link-0")).inode());
    assertThat(top(image).resolve("link-99")).hasSize(MIB);
  }

  /// The copy that the next one could be a link to is another file by then.
  @Test
  void aCopyThatWasReplacedIsNoLongerOne() throws Exception {
    var image =
        bring(
            new TestTar().file("file", 0644, "old").bytes(),
            new TestTar()
                .folder("a/", 0755)
                .hardLink("a/first", "file")
                .file("a/first", 0644, "new")
                .hardLink("second", "file")
                .file("second", 0644, "new")
                .hardLink("third", "file")
                .bytes());
    assertThat(top(image).resolve("a/first")).hasContent("new");
    assertThat(top(image).resolve("third")).hasContent("old");
  }

  /// Written out, it has as many digits as it says.
  @Test
  void aTimeIsNoNumberWithoutAnEnd() {
    for (var time : List.of("1e500000000", "1e-500000000", "1e10000000", "-", "x", "1".repeat(19)))
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () ->
              assertThatThrownBy(() ->
                      bring(
                          new TestTar().extended("mtime", bytes(time)).file("x", 0644, "").bytes()))
                  .as(time)
                  .isInstanceOf(BrokenImageException.class)
                  .hasMessageContaining("a time that is none"));
  }

  @Test
  void timesHaveParts() throws Exception {
    for (var time : List.of("-1.5", "0.25", "1700000000.123456789", "12", "12."))
      bring(new TestTar().extended("mtime", bytes(time)).file("x", 0644, time).bytes());
    var image = bring(new TestTar().extended("mtime", bytes("-1.5")).file("x", 0644, "").bytes());
    assertThat(Files.getLastModifiedTime(top(image).resolve("x")).toMillis()).isEqualTo(-1500);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// However many there are: these would be 1 GiB.
  @Test
  void extendedHeadersAreForgotten() throws Exception {
    for (var type : List.of('x', 'g')) {
      var parts =
          IntStream.range(0, 1000)
              .<InputStream>mapToObj(i -> new Later(() -> header(type, i)))
              .toList();
      var end = new ByteArrayInputStream(new TestTar().file("x", 0644, "x").bytes());
      var all = new SequenceInputStream(Collections.enumeration(parts));
      var reader = new TarReader(new SequenceInputStream(all, end), "it");
      assertThat(reader.next().orElseThrow().attributes()).isEmpty();
    }
  }

  private static byte[] header(char type, int number) {
    var tar = new TestTar().extended("SCHILY.xattr.user.x-" + number, new byte[MIB - 64]).begun();
    var plain = new TestTar().header("pax", type, 0644, MIB - 64 + length(number), "").begun();
    System.arraycopy(plain, 0, tar, 0, 512);
    return tar;
  }

  /// Of the record around the value.
  private static int length(int number) {
    return "1048576 SCHILY.xattr.user.x-=\n".length() + String.valueOf(number).length();
  }

  /// Is made when it is read, and not kept.
  private static final class Later extends InputStream {
    private final Supplier<byte[]> content;
    private byte @Nullable [] made;
    private int at;

    Later(Supplier<byte[]> content) {
      this.content = content;
    }

    @Override
    public int read() {
      throw new IllegalStateException("one by one");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      if (made == null) made = content.get();
      int count = Math.min(length, made.length - at);
      System.arraycopy(made, at, bytes, offset, count);
      at += count;
      if (count > 0 || length == 0) return count;
      made = new byte[0];
      at = 0;
      return -1;
    }
  }

  /// A file of images keeps the names of all that is in it.
  @Test
  void namesOfAnArchiveAreNotWithoutEnd() throws Exception {
    var tar = new TestTar();
    for (int i = 0; i < 5000; i++)
      tar.extended("path", bytes(i + "/" + "a/".repeat(1900))).file("x", 0644, "");
    var file = Files.write(folder.resolve("names.tar"), tar.bytes());
    try (var writer = ImageStoreWriter.open(store, List::of)) {
      assertThatThrownBy(() ->
              new ImageImport(writer, TestImage.MACHINE, ROOM)
                  .run(file, List.of(ImageName.parse("x:1"))))
          .isInstanceOf(BrokenImageException.class)
          .hasMessageContaining("names");
    }
    assertThatThrownBy(() ->
            bring(
                new TestTar()
                    .extended("SCHILY.xattr.security.capability", new byte[5000])
                    .file("x", 0644, "")
                    .bytes()))
        .isInstanceOf(BrokenImageException.class)
        .hasMessageContaining("4096");
  }

  /// Some writers note how large a folder is, or what a link leads to; nothing follows.
  @Test
  void onlyFilesHaveContent() throws Exception {
    var image =
        bring(
            new TestTar()
                .header("a/", '5', 0755, 4096, "")
                .header("a/null", '3', 0644, 4096, "")
                .header("a/pipe", '6', 0644, 4096, "")
                .header("a/link", '2', 0777, 4096, "x")
                .file("a/x", 0644, "x")
                .bytes());
    assertThat(top(image).resolve("a/x")).hasContent("x");
  }
}
