package dev.berth.conform.trial;

/// What a driver may say that it can do, on whichever service it says so.
public enum Ability {
  CONTROLLER_SERVICE(Where.PLUGIN),
  VOLUME_ACCESSIBILITY_CONSTRAINTS(Where.PLUGIN),
  GROUP_CONTROLLER_SERVICE(Where.PLUGIN),
  SNAPSHOT_METADATA_SERVICE(Where.PLUGIN),
  SNAPSHOT_ACCESSIBILITY_CONSTRAINTS(Where.PLUGIN),
  EXPANSION_ONLINE(Where.PLUGIN),
  EXPANSION_OFFLINE(Where.PLUGIN),

  CREATE_DELETE_VOLUME(Where.CONTROLLER),
  PUBLISH_UNPUBLISH_VOLUME(Where.CONTROLLER),
  LIST_VOLUMES(Where.CONTROLLER),
  GET_CAPACITY(Where.CONTROLLER),
  CREATE_DELETE_SNAPSHOT(Where.CONTROLLER),
  LIST_SNAPSHOTS(Where.CONTROLLER),
  CLONE_VOLUME(Where.CONTROLLER),
  PUBLISH_READONLY(Where.CONTROLLER),
  EXPAND_VOLUME(Where.CONTROLLER),
  LIST_VOLUMES_PUBLISHED_NODES(Where.CONTROLLER),
  VOLUME_CONDITION(Where.CONTROLLER),
  GET_VOLUME(Where.CONTROLLER),
  SINGLE_NODE_MULTI_WRITER(Where.CONTROLLER),
  MODIFY_VOLUME(Where.CONTROLLER),
  GET_SNAPSHOT(Where.CONTROLLER),
  GET_VOLUME_HEALTH(Where.CONTROLLER),
  LIST_VOLUME_HEALTH(Where.CONTROLLER),

  CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT(Where.GROUP_CONTROLLER),

  NODE_SERVICE(Where.SOCKET),
  STAGE_UNSTAGE_VOLUME(Where.NODE),
  GET_VOLUME_STATS(Where.NODE),
  NODE_EXPAND_VOLUME(Where.NODE),
  NODE_VOLUME_CONDITION(Where.NODE),
  NODE_SINGLE_NODE_MULTI_WRITER(Where.NODE),
  VOLUME_MOUNT_GROUP(Where.NODE),
  NODE_GET_VOLUME_HEALTH(Where.NODE),
  GET_STORAGE_HEALTH(Where.NODE);

  enum Where {
    PLUGIN("plugin"),
    CONTROLLER("controller"),
    GROUP_CONTROLLER("group controller"),
    NODE("node"),
    SOCKET("socket");

    private final String words;

    Where(String words) {
      this.words = words;
    }
  }

  private final Where where;

  Ability(Where where) {
    this.where = where;
  }

  Where where() {
    return where;
  }

  /// Its name in the protocol, where node and controller may have the same.
  String wireName() {
    return name().replaceFirst("^NODE_(?!SERVICE)", "").replaceFirst("^EXPANSION_", "");
  }

  /// Why a check cannot be made without it.
  public String absence() {
    return switch (this) {
      case NODE_SERVICE -> "no Node service answers at the socket";
      case CONTROLLER_SERVICE -> "no Controller service is advertised and answers at the socket";
      case EXPANSION_ONLINE, EXPANSION_OFFLINE ->
          "plugin capability VolumeExpansion %s is not advertised".formatted(wireName());
      default -> "%s capability %s is not advertised".formatted(where.words, wireName());
    };
  }
}
