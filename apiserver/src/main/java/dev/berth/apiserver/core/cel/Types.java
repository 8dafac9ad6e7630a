package dev.berth.apiserver.core.cel;

import dev.berth.kube.value.Quantity;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.List;

/// The types of Kubernetes' functions, under upstream's names.
final class Types {
  static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
  static final CelType URL = OpaqueType.create("kubernetes.URL");
  static final CelType IP = OpaqueType.create("net.IP");
  static final CelType CIDR = OpaqueType.create("net.CIDR");
  static final CelType FORMAT = OpaqueType.create("kubernetes.NamedFormat");
  static final CelType SEMVER = OpaqueType.create("kubernetes.Semver");

  static final CelType ANY = TypeParamType.create("T");
  static final CelType ANY_LIST = ListType.create(ANY);
  static final CelType TEXTS = ListType.create(SimpleType.STRING);

  private Types() {}

  /// Of the values that are of this type.
  static Class<?> classOf(CelType type) {
    if (type.equals(QUANTITY)) return Quantity.class;
    if (type.equals(URL)) return Url.class;
    if (type.equals(IP)) return Address.class;
    if (type.equals(CIDR)) return Network.class;
    if (type.equals(FORMAT)) return NamedFormats.Format.class;
    if (type.equals(SEMVER)) return SemanticVersion.class;
    if (type instanceof ListType) return List.class;
    if (type.equals(SimpleType.STRING)) return String.class;
    if (type.equals(SimpleType.INT)) return Long.class;
    if (type.equals(SimpleType.BOOL)) return Boolean.class;
    return Object.class;
  }
}
