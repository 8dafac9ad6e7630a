package dev.berth.driver.baremetal.object;

/// The annotations by which people lead drives and volumes, and the values that they have (BM-30 to
/// BM-33, BM-35). Values are read in any letter case.
public final class Marks {
  /// On a drive: what a person says of its health.
  public static final String HEALTH = "health";

  /// On a drive: [#ADD] keeps it, [#REMOVE] has it removed by force.
  public static final String ACTION = "action";

  public static final String ADD = "add";
  public static final String REMOVE = "remove";

  /// On a drive: [#READY] allows its removal.
  public static final String REMOVAL = "removal";

  public static final String READY = "ready";

  /// On a volume: how far the move of its data is, [#DONE] or [#FAILED] at the end.
  public static final String RELEASE = "release";

  public static final String DONE = "done";
  public static final String FAILED = "failed";

  /// On a drive: whether its lamp is to shine, so that somebody finds it: [#ON] or [#OFF] (BM-147).
  public static final String LOCATE = "locate";

  public static final String ON = "on";
  public static final String OFF = "off";

  /// On a drive: what is on it may go. Its value is what [Drive#review] said when a person read
  /// what that is (BM-211).
  public static final String INITIALIZE = "initialize";

  /// On a drive: the volume whose bytes are still on it, as its class has `wipe: none`. Nobody gets
  /// the drive before a person has it initialized (BM-119).
  public static final String UNCLEAN = "left-unclean";

  /// On a volume: [#YES] if its pods see something empty in its place (BM-37).
  public static final String FAKE_ATTACH = "fake-attach";

  public static final String YES = "yes";

  /// Parameter of a class: whether what is shown instead of a volume is `ro` or `rw` (BM-151).
  public static final String FAKE_ATTACH_MODE = "fakeAttachMode";

  /// On a drive: a serial number that it was found to have after it had been registered by another,
  /// when a layer came to tell more of it. A disk that does not have this one is another (BM-23).
  public static final String KNOWN_AS = "known-as";

  /// On a drive: all further serial numbers that any layer has ever said of it, a line each. They
  /// may be others', too, and tell only what it may be while not every layer speaks (BM-23).
  public static final String ALSO_SERIALS = "also-serials";

  /// On a drive: the [Reservation] that keeps it for a volume that is to be made (BM-94).
  public static final String KEPT_FOR = "kept-for";

  private Marks() {}
}
