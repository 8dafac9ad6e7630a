package dev.berth.node.image.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;

/// A stream of which [#finish] says whether it was the right one. What is read before is not known
/// to be.
public final class Checked extends InputStream { // and no filter: those skip without reading
  private final String name;
  private final Digest wanted;
  private final InputStream content;
  private final MessageDigest reckoned;

  /// @param name of what is read, for people
  public Checked(String name, Digest wanted, InputStream content) {
    this.name = name;
    this.wanted = wanted;
    this.content = content;
    this.reckoned = wanted.begin();
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = content.read(bytes, offset, length);
    if (read > 0) reckoned.update(bytes, offset, read);
    return read;
  }

  /// Reads what is left.
  ///
  /// @throws BrokenImageException it is something else
  public void finish() throws IOException {
    transferTo(OutputStream.nullOutputStream());
    if (!wanted.fits(reckoned))
      throw new BrokenImageException(
          "%s is damaged, or another: it does not have the digest %s that the image gives it"
              .formatted(name, wanted));
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
