/// Who asked for what, and what came of it (spec/apiserver.md, API-136): one line of JSON for each
/// request, if the operator wants it. Start at [AuditLog].
///
/// Always: nobody waits for the log; what it cannot take is counted (`AuditLogTest`). Never: a
/// body, a header with a credential, or a token (`AuditLogTest`).
@NullMarked
package dev.berth.apiserver.rights.audit;

import org.jspecify.annotations.NullMarked;
