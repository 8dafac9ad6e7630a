package dev.berth.sidecar.provisioner;

import dev.berth.csi.client.CsiException;

/// What a failed CreateVolume means (spec/provisioner.md, section 10).
enum Verdict {
  /// A volume may exist or come into being: only the same request again can tell.
  UNKNOWN,
  /// None exists; another attempt may go better.
  REFUSED,
  /// None exists, and there is no room where the selected node can reach it.
  NO_ROOM_HERE,
  /// None exists, and the same request will be refused again.
  INFEASIBLE;

  /// PROV-111. Final is final also after an attempt of unknown outcome: a driver that cannot look
  /// what has become of that has to say so (`ABORTED`, `UNAVAILABLE`).
  ///
  /// @param placed whether a node is selected and the driver knows topology
  static Verdict of(CsiException failure, boolean placed) {
    return switch (failure.code()) {
      case OK, CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> UNKNOWN;
      case INVALID_ARGUMENT -> INFEASIBLE; // PROV-120
      case RESOURCE_EXHAUSTED -> placed ? NO_ROOM_HERE : REFUSED;
      case UNKNOWN,
          INTERNAL,
          NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          FAILED_PRECONDITION,
          OUT_OF_RANGE,
          UNIMPLEMENTED,
          DATA_LOSS ->
          REFUSED;
    };
  }
}
