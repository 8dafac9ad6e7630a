package dev.berth.apiserver.schema;

/// Says where in an object something stands, such as `spec.containers[0].name`. Clients choose
/// names as long as they like, and every place below one repeats it: deep inside, only the
/// beginning is told.
public final class Place {
  private static final int LONG = 1_000;

  private Place() {}

  /// A field of the object that stands at `place`; empty: of the whole.
  public static String field(String place, String name) {
    return place.isEmpty() ? part("", name) : part(place, "." + name);
  }

  public static String element(String place, int index) {
    return part(place, "[" + index + "]");
  }

  /// @param part as it is to be read
  public static String part(String place, String part) {
    if (place.length() >= LONG) return place;
    return place + (part.length() <= LONG ? part : part.substring(0, LONG) + "...");
  }
}
