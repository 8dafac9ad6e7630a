package dev.berth.node.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.tree.NewTree;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// Images whose authors mean no good: whatever they say, nothing outside of the store is touched,
/// and what is refused is not there afterwards.
@EnabledIf(
    value = "dev.berth.node.testing.Scratch#containersOnDisks",
    disabledReason = "needs root, which owners and whiteouts need")
class HostileImageTest {
  private static final long ROOM = 1 << 22;

  @TempDir private Path folder;
  private ImageStore store;
  private Path outside;

  @BeforeEach
  void open() throws IOException {
    store = new ImageStore(folder.resolve("images"));
    outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("kept"), "kept");
  }

  private StoredImage bring(byte[]... layers) throws IOException {
    var image = new TestImage();
    for (var layer : layers) image.layer(layer);
    return bring(image.tar(folder.resolve("image.tar"), ""));
  }

  private StoredImage bring(Path file) throws IOException {
    try (var writer = ImageStoreWriter.open(store, List::of)) {
      return new ImageImport(writer, TestImage.MACHINE, ROOM)
          .run(file, List.of(ImageName.parse("x:1")))
          .getFirst();
    }
  }

  private Path top(StoredImage image) {
    return store.layer(image.layers().getLast());
  }

  private void refused(String words, byte[]... layers) throws IOException {
    var image = new TestImage();
    for (var layer : layers) image.layer(layer);
    refused(words, image.tar(folder.resolve("image.tar"), ""));
  }

  private void refused(String words, Path file) throws IOException {
    assertThatThrownBy(() -> bring(file))
        .isInstanceOf(BrokenImageException.class)
        .hasMessageContaining(words);
    assertThat(store.find("x:1")).isEmpty();
    assertThat(store.folder().resolve("layers")).isEmptyDirectory();
    try (var files = Files.list(outside)) {
      assertThat(files).containsExactly(outside.resolve("kept"));
    }
    assertThat(outside.resolve("kept")).hasContent("kept");
  }

  @Test
  void namesWithDotsAreRefused() throws Exception {
    refused("..", new TestTar().file("../../outside/new", 0644, "x").bytes());
    refused("..", new TestTar().file("a/../../x", 0644, "x").bytes());
    refused("..", new TestTar().hardLink("x", "../../../outside/kept").bytes());
    refused("..", new TestTar().file("a/.wh...", 0644, "").bytes());
  }

  @Test
  void anAbsoluteNameIsInsideOfTheImage() throws Exception {
    var image = bring(new TestTar().file(outside.resolve("kept").toString(), 0644, "x").bytes());
    assertThat(top(image).resolve(outside.resolve("kept").toString().substring(1))).hasContent("x");
    assertThat(outside.resolve("kept")).hasContent("kept");
  }

  /// As in the image's root: `way` leads to a folder of the image.
  @Test
  void linksLeadWhereTheyLeadForTheContainer() throws Exception {
    for (var target : List.of(outside.toString(), "../../../../../../../.." + outside)) {
      var image = bring(new TestTar().link("way", target).file("way/kept", 0644, "x").bytes());
      var inside = top(image).resolve(outside.toString().substring(1));
      assertThat(inside.resolve("kept")).hasContent("x");
      assertThat(Files.isSymbolicLink(top(image).resolve("way"))).isTrue();
      assertThat(outside.resolve("kept")).hasContent("kept");
    }
    // also when the link is in a layer below
    var image =
        bring(
            new TestTar().folder("usr/lib/", 0711).link("lib", "usr/lib").bytes(),
            new TestTar().file("lib/x.so", 0644, "x").bytes());
    assertThat(top(image).resolve("usr/lib/x.so")).hasContent("x");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(top(image).resolve("usr/lib"))))
        .isEqualTo("rwx--x--x");
    assertThat(top(image).resolve("lib")).doesNotExist();
  }

  @Test
  void linksInACircleAreRefused() throws Exception {
    refused("circle", new TestTar().link("a", "b").link("b", "a").file("a/x", 0644, "").bytes());
  }

  @Test
  void aLinkIsReplacedAndNotWrittenThrough() throws Exception {
    var kept = outside.resolve("kept").toString();
    var image = bring(new TestTar().link("a", kept).file("a", 0600, "x").link("b", kept).bytes());
    assertThat(Files.isRegularFile(top(image).resolve("a"), LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(outside.resolve("kept")).hasContent("kept");
    assertThat(Files.getAttribute(outside.resolve("kept"), "unix:nlink")).isEqualTo(1);
  }

  @Test
  void hardLinksLeadToFilesOfTheImageAlone() throws Exception {
    var kept = outside.resolve("kept").toString();
    refused("no file of it", new TestTar().hardLink("x", kept).bytes());
    refused(
        "no file of it",
        new TestTar().link("way", outside.toString()).hardLink("x", "way/kept").bytes());
    refused("no file of it", new TestTar().folder("a/", 0755).hardLink("x", "a").bytes());
    var image =
        bring(
            new TestTar()
                .ownedBy(7, 8)
                .file("first", 0640, "x")
                .hardLink("second", "first")
                .bytes(),
            new TestTar().hardLink("third", "first").bytes());
    var bottom = store.layer(image.layers().getFirst());
    assertThat(FileStatus.of(bottom.resolve("first")).inode())
        .isEqualTo(FileStatus.of(bottom.resolve("second")).inode());
    assertThat(top(image).resolve("third")).hasContent("x");
    assertThat(Files.readAttributes(top(image).resolve("third"), "unix:uid,gid,mode"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("uid", 7, "gid", 8, "mode", 0100640));
  }

  @Test
  void deviceFilesAreLeftOutAndWhatIsGoneIsGone() throws Exception {
    var image =
        bring(
            new TestTar().folder("a/", 0755).file("a/b", 0644, "").folder("c/", 0755).bytes(),
            new TestTar()
                .device("a/null")
                .folder("a/", 0755)
                .file("a/.wh.b", 0644, "")
                .file("c/.wh..wh..opq", 0644, "")
                .file("c/new", 0644, "x")
                .bytes());
    assertThat(Files.exists(top(image).resolve("a/null"), LinkOption.NOFOLLOW_LINKS)).isFalse();
    assertThat(NewTree.isWhiteOut(FileStatus.of(top(image).resolve("a/b")))).isTrue();
    try (var tree = NewTree.in(top(image))) {
      assertThat(tree.isOpaque("c")).isTrue();
      assertThat(tree.isOpaque("a")).isFalse();
    }
    assertThat(top(image).resolve("c/new")).hasContent("x");
  }

  /// A folder that is removed and made again shows nothing of the one before.
  @Test
  void aFolderThatReplacesOneIsAnother() throws Exception {
    for (var layer :
        List.of(
            new TestTar().file(".wh.a", 0644, "").folder("a/", 0700).bytes(),
            new TestTar().folder("a/", 0700).file(".wh.a", 0644, "").bytes())) {
      var image = bring(new TestTar().folder("a/", 0755).file("a/b", 0644, "").bytes(), layer);
      try (var tree = NewTree.in(top(image))) {
        assertThat(tree.isOpaque("a")).isTrue();
      }
    }
  }

  @Test
  void ownersModesTimesAndCapabilitiesAreKept() throws Exception {
    var capability = new byte[] {1, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    var image =
        bring(
            new TestTar()
                .ownedBy(1234, 4321)
                .folder("a/", 02775)
                .extended("SCHILY.xattr.security.capability", capability)
                .extended(
                    "SCHILY.xattr.trusted.overlay.redirect",
                    "/etc".getBytes(StandardCharsets.UTF_8))
                .file("a/ping", 0755, "x")
                .bytes());
    var file = top(image).resolve("a/ping");
    assertThat(Files.readAttributes(file, "unix:uid,gid,mode"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("uid", 1234, "gid", 4321, "mode", 0100755));
    assertThat(Files.getLastModifiedTime(file).toInstant().getEpochSecond())
        .isEqualTo(1_000_000_000);
    assertThat(Files.getAttribute(top(image).resolve("a"), "unix:mode")).isEqualTo(0042775);
    assertThat(Files.getLastModifiedTime(top(image).resolve("a")).toInstant().getEpochSecond())
        .isEqualTo(1_000_000_000);
  }

  @Test
  void blobsThatAreOthersAreRefused() throws Exception {
    var whole = new TestImage().layer(new TestTar().file("x", 0644, "x").bytes());
    for (var name : List.copyOf(whole.files("").keySet())) {
      if (!name.startsWith("blobs/")) continue;
      var image = new TestImage().layer(new TestTar().file("x", 0644, "x").bytes());
      var place = image.folder(folder.resolve("damaged-" + name.hashCode()), "");
      var blob = place.resolve(name);
      var bytes = Files.readAllBytes(blob);
      bytes[bytes.length - 1] ^= 1; // of a gzip that is the length, of JSON the last brace
      Files.write(blob, bytes);
      refused("", place);
    }
    var lying = new TestImage().layer(new TestTar().file("x", 0644, "x").bytes());
    lying.files("");
    lying.config.put("architecture", "s390x");
    refused("for linux/s390x", lying.tar(folder.resolve("other.tar"), ""));
  }

  /// The file has the digest that the manifest says, and unpacks to something else than the config
  /// says.
  @Test
  void aLayerThatUnpacksToAnotherIsRefused() throws Exception {
    var image = new TestImage().layer(new TestTar().file("x", 0644, "x").bytes());
    var files = image.files("");
    var config =
        image.config.toString().replaceAll("sha256:[0-9a-f]{64}", "sha256:" + "0".repeat(64));
    var text = new String(files.get("index.json"), StandardCharsets.UTF_8);
    var manifestHex = text.replaceAll("(?s).*sha256:([0-9a-f]{64}).*", "$1");
    var bytes = config.getBytes(StandardCharsets.UTF_8);
    var id = Digest.of(bytes);
    var manifest =
        new String(files.get("blobs/sha256/" + manifestHex), StandardCharsets.UTF_8)
            .replaceAll("(\"config\":\\{\"digest\":\")sha256:[0-9a-f]{64}", "$1" + id)
            .getBytes(StandardCharsets.UTF_8);
    var manifestId = Digest.of(manifest);
    files.put("blobs/sha256/" + id.hex(), bytes);
    files.put("blobs/sha256/" + manifestId.hex(), manifest);
    files.put(
        "index.json", text.replace(manifestHex, manifestId.hex()).getBytes(StandardCharsets.UTF_8));
    var tar = new TestTar();
    files.forEach((name, content) -> tar.file(name, 0644, content));
    refused("(unpacked) is damaged", Files.write(folder.resolve("liar.tar"), tar.bytes()));
  }

  @Test
  void whatIsCutOffIsRefused() throws Exception {
    refused("ends in the middle", new TestTar().header("x", '0', 0644, 1000, "").begun());
    refused("ends in the middle", new TestTar().file("x", 0644, "x").begun());
    refused("ends in the middle", new TestTar().header("x", '0', 0644, 077777777777L, "").bytes());
    var file =
        new TestImage()
            .layer(new TestTar().file("x", 0644, "x").bytes())
            .tar(folder.resolve("whole.tar"), "");
    var bytes = Files.readAllBytes(file);
    refused(
        "ends in the middle",
        Files.write(folder.resolve("cut.tar"), Arrays.copyOf(bytes, bytes.length - 1500)));
    var packed = TestImage.gzip(bytes);
    refused(
        "ends in the middle",
        Files.write(folder.resolve("cut.tgz"), Arrays.copyOf(packed, packed.length / 2)));
    refused("", Files.write(folder.resolve("empty"), new byte[0]));
    refused(
        "",
        Files.write(
            folder.resolve("text"), "no tar at all".repeat(100).getBytes(StandardCharsets.UTF_8)));
    refused(
        "zstd",
        Files.write(folder.resolve("zstd"), new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0}));
    refused("a header that is damaged", garbage());
  }

  private static byte[] garbage() {
    var bytes = new byte[4096];
    for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) (i * 31 + 7);
    return bytes;
  }

  @Test
  void whatUnpacksToMoreThanThereIsRoomForIsRefused() throws Exception {
    refused(
        "too little is left for others",
        new TestTar().file("zeroes", 0644, new byte[1 << 23]).bytes());
    // behind the end of the archive, where no file is made of it
    var bomb = Arrays.copyOf(new TestTar().file("x", 0644, "").bytes(), 1 << 23);
    refused("too little is left for others", bomb);
  }

  @Test
  void longAndDeepNamesAreRefused() throws Exception {
    refused(
        "3000",
        new TestTar()
            .extended("path", "a/".repeat(2000).getBytes(StandardCharsets.UTF_8))
            .file("x", 0644, "")
            .bytes());
    refused(
        "255",
        new TestTar()
            .extended("path", "a".repeat(300).getBytes(StandardCharsets.UTF_8))
            .file("x", 0644, "")
            .bytes());
    refused("bytes", new TestTar().header("long", 'x', 0644, 1 << 21, "").begun());
  }

  /// A folder that is handed over may lead anywhere by its links.
  @Test
  void aFolderGivesNoFilesOfTheMachine() throws Exception {
    var place =
        new TestImage()
            .layer(new TestTar().file("x", 0644, "x").bytes())
            .folder(folder.resolve("layout"), "");
    Files.delete(place.resolve("index.json"));
    Files.createSymbolicLink(place.resolve("index.json"), Path.of("/etc/passwd"));
    refused("link", place);
  }
}
