package dev.berth.node.image;

import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Digest;
import java.util.Optional;

/// What a pod calls an image, with all that is left out there: `nginx` is
/// `docker.io/library/nginx:latest`.
///
/// @param repository with its registry
/// @param tag empty if there is a digest alone
/// @param digest of its manifest; empty: whichever has the tag now
public record ImageName(String repository, String tag, Optional<Digest> digest) {
  private static final String HUB = "docker.io";
  private static final int LONGEST = 255;

  /// @throws BrokenImageException it is no name
  public static ImageName parse(String text) throws BrokenImageException {
    int at = text.indexOf('@');
    var digest =
        at < 0 ? Optional.<Digest>empty() : Optional.of(Digest.parse(text.substring(at + 1)));
    var rest = at < 0 ? text : text.substring(0, at);
    int colon = rest.indexOf(':', rest.lastIndexOf('/') + 1);
    var path = colon < 0 ? rest : rest.substring(0, colon);
    var tag = colon >= 0 ? rest.substring(colon + 1) : at < 0 ? "latest" : "";
    var repository = repository(path);
    boolean right =
        repository.matches(
                "[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?(/[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*)+")
            && repository.length() <= LONGEST
            && (tag.isEmpty()
                ? digest.isPresent()
                : tag.matches("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"));
    if (!right)
      throw new BrokenImageException(
          "\"%s\" is not the name of an image, such as localhost/web:1"
              .formatted(text.length() > LONGEST ? text.substring(0, LONGEST) : text));
    return new ImageName(repository, tag, digest);
  }

  private static String repository(String path) {
    int slash = path.indexOf('/');
    var first = slash < 0 ? "" : path.substring(0, slash);
    boolean registry = first.contains(".") || first.contains(":") || first.equals("localhost");
    if (registry) return first.equals("index." + HUB) ? HUB + path.substring(slash) : path;
    return HUB + (slash < 0 ? "/library/" : "/") + path;
  }

  @Override
  public String toString() {
    return repository + (tag.isEmpty() ? "" : ":" + tag) + digest.map(it -> "@" + it).orElse("");
  }
}
