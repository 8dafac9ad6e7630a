/// Who the API server is and whom it believes: its certificate authority, its own certificate, and
/// the credentials that it hands out (spec/apiserver.md, API-09 and API-154). Start at
/// [Credentials].
///
/// Always: a file with a key or a token has mode 0600 from its first byte on and appears whole or
/// not at all (`SecretFileTest`); what is on disk is used again, so that kubeconfigs stay valid
/// over restarts (`CredentialsTest`). Never: a key or a token in a log or an error
/// (`CredentialsTest`).
@NullMarked
package dev.berth.apiserver.tls;

import org.jspecify.annotations.NullMarked;
