#ifndef SLUICE_VERBS_IDS_H
#define SLUICE_VERBS_IDS_H

#include "verbs_results.h"

#include <rdma/rdma_cma.h>

/* Routes and connections: librdmacm reads the device of an id there without asking whether there is one. */
static inline int is_bound(int64_t id) { return is_handle(id) && TO_OBJECT(rdma_cm_id, id)->verbs != NULL; }

#endif
