package dev.berth.apiserver.tls;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.security.auth.x500.X500Principal;

/// Whom a credential speaks for.
///
/// @param name user name, a certificate's common name
/// @param uid empty: the credential has none
/// @param groups the groups that the credential names, a certificate's organizations
public record Identity(String name, String uid, List<String> groups) {
  /// May do everything.
  public static final Identity ADMIN = new Identity("berth-admin", List.of("system:masters"));

  public Identity(String name, List<String> groups) {
    this(name, "", groups);
  }

  public Identity {
    groups = List.copyOf(groups);
  }

  /// Whom a client certificate speaks for, once TLS has checked who signed it.
  public static Identity of(X509Certificate certificate) {
    var subject = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
    var name = "";
    var groups = new ArrayList<String>();
    try {
      for (var part : new LdapName(subject).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) name = String.valueOf(part.getValue());
        if (part.getType().equalsIgnoreCase("O")) groups.add(String.valueOf(part.getValue()));
      }
    } catch (InvalidNameException unreadable) {
      throw new IllegalStateException("a principal writes a valid name: " + subject, unreadable);
    }
    return new Identity(name, groups);
  }
}
